"""Literature of the methods behind a solution, as BibTeX."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jourdain.results.solution import Solution

_ALWAYS = ("featherstone2008", "andersson2019")
_INTEGRATORS = {
    "Dopri5": ("dormand1980", "hairer1993"),
    "Dop853": ("prince1981", "hairer1993"),
    "Tsit5": ("tsitouras2011",),
    "RungeKutta4": ("kutta1901", "hairer1993"),
    "SemiImplicitEuler": ("hairer2006",),
    "Gauss4": ("hairer2006",),
    "Radau5": ("hairer1996",),
    "GeneralizedAlpha": ("chung1993", "arnold2007"),
    "NonsmoothAlpha": ("chung1993", "chen2013", "bruls2014"),
    "Cvode": ("hindmarsh2005",),
    "Ida": ("hindmarsh2005",),
}


def cite(solution: Solution) -> str:
    """BibTeX entries of the methods that a solution was computed with.

    Parameters
    ----------
    solution : Solution
        What to cite for.

    Returns
    -------
    str
        Entries: the recursive dynamics, the integrator, and the graphs that are compiled.

    Examples
    --------
    ``print(jd.cite(sol))`` or ``Path("methods.bib").write_text(jd.cite(sol))``.
    """
    word = re.match(r"\w*", solution.statistics.method)
    keys = (*_ALWAYS, *_INTEGRATORS.get(word[0] if word else "", ()))
    return "\n".join(_entry(key) for key in keys)


def _entry(key: str) -> str:
    kind, fields = _LITERATURE[key]
    lines = "".join(f"  {name} = {{{text}}},\n" for name, text in fields.items())
    return f"@{kind}{{{key},\n{lines}}}\n"


_LITERATURE: dict[str, tuple[str, dict[str, str]]] = {
    "featherstone2008": ("book", {
        "author": "Featherstone, Roy",
        "title": "Rigid Body Dynamics Algorithms",
        "publisher": "Springer",
        "year": "2008",
        "doi": "10.1007/978-1-4899-7560-7",
    }),
    "andersson2019": ("article", {
        "author": "Andersson, Joel A. E. and Gillis, Joris and Horn, Greg and Rawlings, James B. "
        "and Diehl, Moritz",
        "title": "{CasADi}: a software framework for nonlinear optimization and optimal control",
        "journal": "Mathematical Programming Computation",
        "volume": "11",
        "pages": "1--36",
        "year": "2019",
        "doi": "10.1007/s12532-018-0139-4",
    }),
    "dormand1980": ("article", {
        "author": "Dormand, J. R. and Prince, P. J.",
        "title": "A family of embedded {Runge--Kutta} formulae",
        "journal": "Journal of Computational and Applied Mathematics",
        "volume": "6",
        "pages": "19--26",
        "year": "1980",
        "doi": "10.1016/0771-050X(80)90013-3",
    }),
    "prince1981": ("article", {
        "author": "Prince, P. J. and Dormand, J. R.",
        "title": "High order embedded {Runge--Kutta} formulae",
        "journal": "Journal of Computational and Applied Mathematics",
        "volume": "7",
        "pages": "67--75",
        "year": "1981",
        "doi": "10.1016/0771-050X(81)90010-3",
    }),
    "tsitouras2011": ("article", {
        "author": "Tsitouras, Ch.",
        "title": "{Runge--Kutta} pairs of order 5(4) satisfying only the first column simplifying "
        "assumption",
        "journal": "Computers \\& Mathematics with Applications",
        "volume": "62",
        "pages": "770--775",
        "year": "2011",
        "doi": "10.1016/j.camwa.2011.06.002",
    }),
    "kutta1901": ("article", {
        "author": "Kutta, Wilhelm",
        "title": "Beitrag zur n{\\\"a}herungsweisen {Integration} totaler "
        "{Differentialgleichungen}",
        "journal": "Zeitschrift f{\\\"u}r Mathematik und Physik",
        "volume": "46",
        "pages": "435--453",
        "year": "1901",
    }),
    "hairer1993": ("book", {
        "author": "Hairer, Ernst and N{\\o}rsett, Syvert P. and Wanner, Gerhard",
        "title": "Solving Ordinary Differential Equations {I}: Nonstiff Problems",
        "edition": "2",
        "publisher": "Springer",
        "year": "1993",
        "doi": "10.1007/978-3-540-78862-1",
    }),
    "hairer1996": ("book", {
        "author": "Hairer, Ernst and Wanner, Gerhard",
        "title": "Solving Ordinary Differential Equations {II}: Stiff and Differential-Algebraic "
        "Problems",
        "edition": "2",
        "publisher": "Springer",
        "year": "1996",
        "doi": "10.1007/978-3-642-05221-7",
    }),
    "hairer2006": ("book", {
        "author": "Hairer, Ernst and Lubich, Christian and Wanner, Gerhard",
        "title": "Geometric Numerical Integration",
        "edition": "2",
        "publisher": "Springer",
        "year": "2006",
        "doi": "10.1007/3-540-30666-8",
    }),
    "chen2013": ("article", {
        "author": "Chen, Qiong-zhong and Acary, Vincent and Virlez, Geoffrey and "
        "Br{\\\"u}ls, Olivier",
        "title": "A nonsmooth generalized-$\\alpha$ scheme for flexible multibody systems with "
        "unilateral constraints",
        "journal": "International Journal for Numerical Methods in Engineering",
        "volume": "96",
        "pages": "487--511",
        "year": "2013",
        "doi": "10.1002/nme.4563",
    }),
    "bruls2014": ("article", {
        "author": "Br{\\\"u}ls, Olivier and Acary, Vincent and Cardona, Alberto",
        "title": "Simultaneous enforcement of constraints at position and velocity levels in the "
        "nonsmooth generalized-$\\alpha$ scheme",
        "journal": "Computer Methods in Applied Mechanics and Engineering",
        "volume": "281",
        "pages": "131--161",
        "year": "2014",
        "doi": "10.1016/j.cma.2014.07.025",
    }),
    "chung1993": ("article", {
        "author": "Chung, J. and Hulbert, G. M.",
        "title": "A time integration algorithm for structural dynamics with improved numerical "
        "dissipation: the generalized-$\\alpha$ method",
        "journal": "Journal of Applied Mechanics",
        "volume": "60",
        "pages": "371--375",
        "year": "1993",
        "doi": "10.1115/1.2900803",
    }),
    "arnold2007": ("article", {
        "author": "Arnold, Martin and Br{\\\"u}ls, Olivier",
        "title": "Convergence of the generalized-$\\alpha$ scheme for constrained mechanical "
        "systems",
        "journal": "Multibody System Dynamics",
        "volume": "18",
        "pages": "185--202",
        "year": "2007",
        "doi": "10.1007/s11044-007-9084-0",
    }),
    "hindmarsh2005": ("article", {
        "author": "Hindmarsh, Alan C. and Brown, Peter N. and Grant, Keith E. and Lee, Steven L. "
        "and Serban, Radu and Shumaker, Dan E. and Woodward, Carol S.",
        "title": "{SUNDIALS}: Suite of nonlinear and differential/algebraic equation solvers",
        "journal": "ACM Transactions on Mathematical Software",
        "volume": "31",
        "pages": "363--396",
        "year": "2005",
        "doi": "10.1145/1089014.1089020",
    }),
}  # fmt: skip
