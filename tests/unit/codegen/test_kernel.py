from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import casadi as ca
import numpy as np
import pytest

from jourdain.codegen.kernel import Kernel, address, aligned, as_columns
from jourdain.codegen.lower import Place, lower
from jourdain.codegen.module import Core

LANES = [1, 4, 8]
SIZES = [("q", 3), ("t", 1), ("p", 2)]


def numbers(q, t, p):
    """What the kernels below compute, with numpy."""
    t = np.asarray(t, dtype=float)[..., np.newaxis]
    q, p = np.asarray(q, dtype=float), np.asarray(p, dtype=float)
    product = q * t + p[..., :1]
    lead = np.broadcast_shapes(q.shape[:-1], t.shape[:-1], p.shape[:-1])
    total = np.broadcast_to(np.sum(q, axis=-1, keepdims=True), (*lead, 1)) * p[..., 1:]
    grid = np.stack([product, -product], axis=-2)
    return [np.broadcast_to(total, (*lead, 1)), np.broadcast_to(grid, (*lead, 2, 3))]


def make(lanes):
    q, t, p = ca.SX.sym("q", 3), ca.SX.sym("t"), ca.SX.sym("p", 2)
    product = q * t + p[0]
    graph = ca.Function(
        "f",
        [ca.vertcat(q, t, p)],
        [ca.vertcat(ca.sum1(q) * p[1], product, -product)],
    )
    reads = [Place(name, k) for name, size in SIZES for k in range(size)]
    writes = [Place("total", 0), *(Place("grid", k) for k in range(6))]

    def core(width):
        names = ["q", "t", "p", "total", "grid"]
        text, functions = lower("core", graph, reads, writes, names, width)
        return Core(text, frozenset(functions), width)

    return Kernel(core, lanes, SIZES, [("total", (1,)), ("grid", (2, 3))])


@pytest.fixture(scope="module", params=LANES)
def kernel(request):
    return make(request.param)


def assert_right(results, *arguments):
    for got, wanted in zip(results, numbers(*arguments), strict=True):
        assert got.shape == wanted.shape
        np.testing.assert_allclose(got, wanted, rtol=1e-15, atol=1e-15)


# ---- shapes


@pytest.mark.parametrize("count", range(10))
def test_batches_of_every_remainder(kernel, count, rng):
    q, t, p = rng.normal(size=(count, 3)), rng.normal(size=count), rng.normal(size=(count, 2))
    assert_right(kernel(q, t, p), q, t, p)


def test_one_system(kernel, rng):
    q, p = rng.normal(size=3), rng.normal(size=2)
    assert_right(kernel(q, 0.4, p), q, 0.4, p)


@pytest.mark.parametrize(
    "shapes",
    [
        ((5, 3), (), (2,)),
        ((3,), (5,), (2,)),
        ((3,), (), (5, 2)),
        ((1, 3), (5,), (1, 2)),
        ((4, 1, 3), (6,), (2,)),
        ((2, 3, 3), (2, 3), (3, 2)),
        ((1, 3), (), (2,)),
        ((3,), (1,), (2,)),
        ((3,), (), (1, 2)),
        ((0, 3), (), (2,)),
        ((3,), (2, 0), (2,)),
    ],
    ids=str,
)
def test_leading_axes_are_broadcast(kernel, shapes, rng):
    q, t, p = (rng.normal(size=shape) for shape in shapes)
    assert_right(kernel(q, t, p), q, t, p)


def test_shape_of_the_result_does_not_depend_on_how_a_row_is_given(kernel):
    rows = [np.ones((1, 3)), [[1.0, 1.0, 1.0]], np.ones((1, 3), dtype=int)]
    for q in rows:
        assert kernel(q, 0.0, np.ones(2))[1].shape == (1, 2, 3)
    for t in (np.array([0.0]), [0.0], np.array([0])):
        assert kernel(np.ones(3), t, np.ones(2))[1].shape == (1, 2, 3)
    for t in (0.0, 0, np.float64(0.0), np.array(0.0)):
        assert kernel(np.ones(3), t, np.ones(2))[1].shape == (2, 3)


# ---- kinds of arrays


@pytest.mark.parametrize("lead", [(), (7,)])
def test_any_array_of_numbers_will_do(kernel, lead, rng):
    q, p = rng.normal(size=(*lead, 3)), rng.normal(size=(*lead, 2))
    wide = np.zeros((*lead, 6))
    wide[..., ::2] = q
    assert_right(kernel(wide[..., ::2], 0.5, p), q, 0.5, p)
    assert_right(kernel(q[..., ::-1], 0.5, p), q[..., ::-1], 0.5, p)
    assert_right(kernel(np.asfortranarray(q), np.float64(0.5), p.tolist()), q, 0.5, p)
    assert_right(kernel(q, np.array(0.5), p.astype(np.float32)), q, 0.5, p.astype(np.float32))
    read_only = q.copy()
    read_only.flags.writeable = False
    assert_right(kernel(read_only, 0.5, p), q, 0.5, p)
    assert_right(kernel(q.astype(">f8"), 0.5, p), q, 0.5, p)
    whole = np.full((*lead, 3), 2)
    for kind in (int, np.uint8, bool, object, np.int32):
        assert_right(kernel(whole.astype(kind), 1, p), whole.astype(kind), 1, p)


def test_transposed_batches(kernel, rng):
    q, p = rng.normal(size=(3, 11)), rng.normal(size=(2, 11))
    assert_right(kernel(q.T, 2.0, p.T), q.T, 2.0, p.T)


def test_arguments_are_left_alone(kernel, rng):
    q, t, p = rng.normal(size=(9, 3)), rng.normal(size=9), rng.normal(size=(9, 2))
    copies = [a.copy() for a in (q, t, p)]
    kernel(q, t, p)
    kernel(q[0], t[0], p[0])
    for array, copy in zip((q, t, p), copies, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize("lead", [(), (9,)])
def test_results_own_their_memory(kernel, lead):
    q, p = np.ones((*lead, 3)), np.ones(2)
    first = kernel(q, 1.0, p)
    kept = [a.copy() for a in first]
    second = kernel(2 * q, 1.0, p)
    for a, b, c in zip(first, second, kept, strict=True):
        assert not np.shares_memory(a, b)
        np.testing.assert_array_equal(a, c)
        a[...] = 7.0
    assert_right(kernel(q, 1.0, p), q, 1.0, p)


# ---- mistakes


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((np.ones(4), 0.0, np.ones(2)), r"q has the shape \(4,\), but its last axis must be 3"),
        ((np.ones((5, 2)), 0.0, np.ones(2)), r"q has the shape \(5, 2\), but its last axis"),
        ((np.ones(3), 0.0, 1.0), r"p has the shape \(\), but its last axis must be 2 long"),
        ((1.0, 0.0, np.ones(2)), r"q has the shape \(\)"),
        (
            (np.ones((5, 3)), np.ones(4), np.ones(2)),
            r"leading axes do not fit: q \(5,\), t \(4,\), p \(\)\.",
        ),
        ((None, 0.0, np.ones(2)), "q is None, which is no array of real numbers"),
        ((np.ones(3), None, np.ones(2)), "t is None, which is no array of real numbers"),
        (([1.0, None, 2.0], 0.0, np.ones(2)), "q is .1.0, None, 2.0., which is no array of real"),
        ((np.ones(3), "now", np.ones(2)), "t is 'now', which is no array of real numbers"),
        ((["1", "2", "3"], 0.0, np.ones(2)), "which is no array of real numbers"),
        ((np.ones(3) * 1j, 0.0, np.ones(2)), "which is no array of real numbers"),
        (([[1.0, 2.0], [3.0]], 0.0, np.ones(2)), "which is no array of numbers"),
        ((np.array([object()] * 3), 0.0, np.ones(2)), "which is no array of numbers"),
    ],
)
def test_wrong_arguments_are_named(kernel, arguments, text):
    with pytest.raises(ValueError, match=text):
        kernel(*arguments)
    assert_right(kernel(np.ones(3), 1.0, np.ones(2)), np.ones(3), 1.0, np.ones(2))


def test_wrong_number_of_arguments(kernel):
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        kernel(np.ones(3), 0.0)


def test_columns_and_leading_axes():
    arrays, lead = as_columns([np.ones((4, 1, 3)), [1.0, 2.0], np.ones(2)], SIZES)
    assert lead == (4, 2)
    assert [a.shape for a in arrays] == [(4, 1, 3), (2, 1), (2,)]
    assert all(a.dtype == float for a in arrays)


# ---- threads


def test_threads_may_share_a_kernel(kernel, rng):
    """A switch of threads in a call must not mix the buffers of two calls."""
    rows = rng.normal(size=(200, 9, 3))

    def work(k):
        p = np.array([k, 1.0])
        single, batch = kernel(rows[k, 0], 0.5, p), kernel(rows[k], 0.5, p)
        return single, batch

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(work, range(len(rows))))
    finally:
        sys.setswitchinterval(interval)
    for k, (single, batch) in enumerate(results):
        p = np.array([k, 1.0])
        assert_right(single, rows[k, 0], 0.5, p)
        assert_right(batch, rows[k], 0.5, p)


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("count", [0, 1, 5, 50])
def test_batch_in_threads(kernel, threads, count, rng):
    q, t = rng.normal(size=(count, 3)), rng.normal(size=count)
    assert_right(kernel.run(q, t, np.ones(2), threads=threads), q, t, np.ones(2))


def test_first_batches_in_threads_compile(rng):
    fresh, q = make(4), rng.normal(size=(6, 9, 3))
    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(lambda rows: fresh(rows, 0.5, np.ones(2)), q))
    for rows, got in zip(q, results, strict=True):
        assert_right(got, rows, 0.5, np.ones(2))


def test_code_is_made_when_it_is_used():
    kernel, one = make(4), (0.5, np.ones(2))
    assert not kernel._libraries
    assert_right(kernel(np.ones((3, 3)), *one), np.ones((3, 3)), *one)
    assert set(kernel._libraries) == {1}  # three systems do not fill four lanes
    assert_right(kernel(np.ones((4, 3)), *one), np.ones((4, 3)), *one)
    assert set(kernel._libraries) == {1, 4}
    batches = make(4)
    assert_right(batches(np.ones((4, 3)), *one), np.ones((4, 3)), *one)
    assert_right(batches(np.ones(3), *one), np.ones(3), *one)
    assert set(batches._libraries) == {4}


@pytest.mark.parametrize("lanes", LANES)
def test_buffers_are_used_again(lanes):
    """Memory does not grow with the number of calls."""
    kernel = make(lanes)
    for _ in range(20):
        kernel(np.ones(3), 0.0, np.ones(2))
        kernel(np.ones((9, 3)), 0.0, np.ones(2))
        kernel([1.0, 1.0, 1.0], 0.0, np.ones(2))
        with pytest.raises(ValueError, match="shape"):
            kernel(np.ones(4), 0.0, np.ones(2))
    assert len(kernel._pool) + len(kernel._lane_pool) == 2


# ---- constant arrays and work memory


def scaled(lanes, constants, work_size):
    """Kernel of ``y = constants * x`` that goes through its work memory."""
    x = ca.SX.sym("x", 2)
    first = ca.Function("f", [x], [x])
    c = ca.SX.sym("c", 2)
    second = ca.Function("g", [ca.vertcat(x, c)], [x * c])

    def core(width):
        work = [Place("work", k) for k in range(2)]
        uniform = [Place("c", k, is_uniform=True) for k in range(2)]
        names = ["x", "y", "c", "work"]
        x_places, y_places = ([Place(n, k) for k in range(2)] for n in "xy")
        one, _ = lower("step_0", first, x_places, work, names, width)
        two, _ = lower("step_1", second, [*work, *uniform], y_places, names, width)
        pointers = ", ".join(f"ptr %{n}" for n in names)
        calls = "\n".join(f"call void @step_{k}({pointers})" for k in range(2))
        whole = f"define internal void @core({pointers}) #0 {{\n{calls}\nret void\n}}\n"
        return Core("\n".join([one, two, whole]), frozenset(), width)

    return Kernel(core, lanes, [("x", 2)], [("y", (2,))], [constants], work_size)


@pytest.mark.parametrize("lanes", LANES)
def test_twin_with_other_constants_shares_code(lanes, rng):
    kernel = scaled(lanes, np.array([2.0, 3.0]), work_size=2)
    twin = kernel.bound_to([np.array([5.0, 7.0])])
    x = rng.normal(size=(11, 2))
    for _ in range(2):
        np.testing.assert_array_equal(kernel(x)[0], x * [2.0, 3.0])
        np.testing.assert_array_equal(twin(x)[0], x * [5.0, 7.0])
        np.testing.assert_array_equal(kernel(x[0])[0], x[0] * [2.0, 3.0])
        np.testing.assert_array_equal(twin(x[0])[0], x[0] * [5.0, 7.0])
    assert twin.library is kernel.library


def test_constants_that_their_owner_changes_are_seen():
    constants = np.array([2.0, 3.0])
    kernel = scaled(4, constants, work_size=2)
    kernel(np.ones(2))
    constants[:] = 9.0, 8.0
    np.testing.assert_array_equal(kernel(np.ones(2))[0], constants)
    np.testing.assert_array_equal(kernel(np.ones((5, 2)))[0][-1], constants)


def test_resized_input_is_checked_by_its_new_size():
    kernel = scaled(4, np.array([2.0, 3.0]), work_size=2).resized("x", 3)
    np.testing.assert_array_equal(kernel(np.array([1.0, 2.0, 9.0]))[0], [2.0, 6.0])
    with pytest.raises(ValueError, match="must be 3 long"):
        kernel(np.ones(2))


@pytest.mark.parametrize("size", [0, 1, 7, 64])
def test_aligned_arrays_start_at_cache_lines(size):
    array = aligned(size)
    assert array.shape == (size,)
    assert address(array) % 64 == 0 or size == 0
    assert not array.any()


def test_two_threads_make_the_code_of_a_kernel_once(monkeypatch):
    """A second copy would take the place of the first, which would be unloaded while it runs."""
    kernel, compiled = make(1), []
    original = Kernel._compile

    def slow(self, lanes):
        compiled.append(lanes)
        time.sleep(0.05)
        return original(self, lanes)

    monkeypatch.setattr(Kernel, "_compile", slow)
    with ThreadPoolExecutor(4) as pool:
        libraries = {id(x) for x in pool.map(lambda _: kernel.library, range(8))}
    assert (len(compiled), len(libraries)) == (1, 1)
