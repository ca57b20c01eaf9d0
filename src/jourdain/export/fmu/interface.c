/* Functions of FMI 3.0 for co-simulation around the machine code of one model.

   The model comes from Jourdain as object code: its equations, the loop of its integrator, and an
   image of the memory that these work on. An instance is a copy of the image with the addresses in
   it set; there is nothing else that two instances could share. */

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

typedef enum { OK, WARNING, DISCARD, ERROR, FATAL } Status;
typedef void (*Log)(void *environment, Status status, const char *category, const char *message);
typedef enum { TIME, PARAMETER, INPUT, STATE, OUTPUT } Kind;
typedef enum { INSTANTIATED, INITIALIZING, STEPPING, TERMINATED } Mode;

/* The model. Places are bytes from the start of an instance's memory. */
typedef struct {
    int64_t size, n_pointers, n_calls, n_variables, n_states;
    int64_t run, start, t, t_work, output_arguments, output_code;
} Numbers;
typedef struct { int64_t place, target; } Reference;
typedef struct { int64_t kind, place, start; } Variable;
extern const Numbers jourdain_numbers;
extern const unsigned char jourdain_image[];
extern const Reference jourdain_pointers[], jourdain_calls[];
extern const Variable jourdain_variables[];
extern void (*const jourdain_codes[])(void *);
extern const char jourdain_token[];
int64_t jourdain_begin(void *run, double *start, double t, double rtol);
int64_t jourdain_prepare(void *run, double t_end, int64_t has_changed);
int64_t jourdain_step(void *memory);

#define ALIGNMENT 64

typedef struct {
    unsigned char *raw, *memory; /* as allocated, and from a cache line on */
    Mode mode;
    bool has_begun;   /* the state follows from the present start values */
    bool has_changed; /* inputs were set since the last step */
    bool is_current;  /* outputs belong to the present state */
    double t, rtol;   /* of the start */
    Log log;
    void *environment;
} Instance;

static Status told(const Instance *me, Status status, const char *text, ...)
{
    char message[600];
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(message, sizeof message, text, arguments);
    va_end(arguments);
    if (me->log)
        me->log(me->environment, status, status == OK ? "logAll" : "logStatusError", message);
    return status;
}

static double *number(const Instance *me, int64_t place) { return (double *)(me->memory + place); }

static void set_addresses(Instance *me)
{
    for (int64_t k = 0; k < jourdain_numbers.n_pointers; k++) {
        Reference r = jourdain_pointers[k];
        *(int64_t *)(me->memory + r.place) = (int64_t)(intptr_t)(me->memory + r.target);
    }
    for (int64_t k = 0; k < jourdain_numbers.n_calls; k++) {
        Reference r = jourdain_calls[k];
        *(int64_t *)(me->memory + r.place) = (int64_t)(intptr_t)jourdain_codes[r.target];
    }
}

static void start_afresh(Instance *me)
{
    memcpy(me->memory, jourdain_image, (size_t)jourdain_numbers.size);
    set_addresses(me);
    me->mode = INSTANTIATED;
    me->has_begun = me->is_current = false;
    me->has_changed = true;
    me->t = me->rtol = 0.0;
}

/* Bring the state to the start values, moved onto the constraints. */
static Status begin(Instance *me)
{
    if (me->has_begun || me->mode >= STEPPING)
        return OK;
    void *run = me->memory + jourdain_numbers.run;
    if (jourdain_begin(run, number(me, jourdain_numbers.start), me->t, me->rtol) != 0)
        return told(me, ERROR, "the constraints cannot be closed from these start values and "
                               "parameters. Give start values that are nearer.");
    me->has_begun = true;
    me->is_current = false;
    return OK;
}

static void evaluate(Instance *me)
{
    if (me->is_current)
        return;
    *number(me, jourdain_numbers.t_work) = *number(me, jourdain_numbers.t);
    jourdain_codes[jourdain_numbers.output_code](me->memory + jourdain_numbers.output_arguments);
    me->is_current = true;
}

/* ---- life of an instance ---------------------------------------------------------------------- */

EXPORT const char *fmi3GetVersion(void) { return "3.0"; }

EXPORT void *fmi3InstantiateCoSimulation(
    const char *name, const char *token, const char *resources, bool visible, bool logging,
    bool uses_events, bool may_return_early, const uint32_t *intermediate, size_t n_intermediate,
    void *environment, Log log, void *intermediate_update)
{
    (void)name, (void)resources, (void)visible, (void)logging, (void)may_return_early;
    (void)intermediate, (void)n_intermediate, (void)intermediate_update;
    Instance own = {.log = log, .environment = environment};
    if (!token || strcmp(token, jourdain_token) != 0) {
        told(&own, ERROR, "the token is not that of this FMU: its description is of another one.");
        return NULL;
    }
    if (uses_events) {
        told(&own, ERROR, "this FMU has no event mode.");
        return NULL;
    }
    Instance *me = malloc(sizeof *me);
    own.raw = malloc((size_t)jourdain_numbers.size + ALIGNMENT);
    if (!me || !own.raw) {
        free(me), free(own.raw);
        told(&own, ERROR, "there is no memory for another instance.");
        return NULL;
    }
    own.memory = own.raw + (-(uintptr_t)own.raw & (ALIGNMENT - 1));
    *me = own;
    start_afresh(me);
    return me;
}

EXPORT void fmi3FreeInstance(void *instance)
{
    if (instance)
        free(((Instance *)instance)->raw);
    free(instance);
}

EXPORT Status fmi3SetDebugLogging(void *me, bool on, size_t n, const char *const *categories)
{
    (void)me, (void)on, (void)n, (void)categories;
    return OK;
}

EXPORT Status fmi3EnterInitializationMode(
    void *instance, bool has_tolerance, double tolerance, double t, bool has_end, double t_end)
{
    Instance *me = instance;
    (void)has_end, (void)t_end;
    if (me->mode != INSTANTIATED)
        return told(me, ERROR, "fmi3EnterInitializationMode comes after an instance was made.");
    me->rtol = has_tolerance && tolerance > 1e-15 && tolerance < 1.0 ? tolerance : 0.0;
    me->t = t;
    me->has_begun = false;
    me->mode = INITIALIZING;
    return OK;
}

EXPORT Status fmi3ExitInitializationMode(void *instance)
{
    Instance *me = instance;
    if (me->mode != INITIALIZING)
        return told(me, ERROR, "fmi3ExitInitializationMode comes after the initialization mode.");
    Status status = begin(me);
    if (status == OK)
        me->mode = STEPPING;
    return status;
}

EXPORT Status fmi3Terminate(void *instance)
{
    ((Instance *)instance)->mode = TERMINATED;
    return OK;
}

EXPORT Status fmi3Reset(void *instance)
{
    start_afresh(instance);
    return OK;
}

/* ---- steps ------------------------------------------------------------------------------------ */

static const char *reason(int64_t status)
{
    switch (status) {
    case 3:
        return "the accelerations are not finite. Likely causes: a force law that divides by "
               "zero, or a mechanism in a singular position";
    case 4:
        return "the step size fell below what the time resolves. Likely causes: a very stiff "
               "spring, an input that jumps too often, or a motion that runs away";
    case 6:
        return "the nonlinear equations of a step could not be solved";
    default:
        return "the constraints have opened, or the step takes ten million steps of the integrator";
    }
}

EXPORT Status fmi3DoStep(
    void *instance, double t, double step, bool keeps_no_states, bool *wants_event, bool *ends,
    bool *is_early, double *reached)
{
    Instance *me = instance;
    double *now = number(me, jourdain_numbers.t);
    (void)keeps_no_states;
    *wants_event = *ends = *is_early = false;
    *reached = *now;
    if (me->mode != STEPPING)
        return told(me, ERROR, "fmi3DoStep comes after the initialization.");
    double t_end = t + step;
    if (!(step >= 0.0) || !isfinite(t_end))
        return told(me, ERROR, "a step of %g s at %g s is none.", step, t);
    if (fabs(t - *now) > 1e-9 * fmax(step, fabs(t)))
        return told(me, ERROR, "a step begins at %.17g s, but the model is at %.17g s.", t, *now);
    if (t_end <= *now)
        return OK;
    void *run = me->memory + jourdain_numbers.run;
    jourdain_prepare(run, t_end, me->has_changed);
    me->has_changed = me->is_current = false;
    int64_t status = jourdain_step(me->memory);
    *reached = *now;
    if (status != 0)
        return told(me, ERROR, "stopped at %.9g s: %s.", *now, reason(status));
    return OK;
}

EXPORT Status fmi3EnterStepMode(void *me) { return told(me, ERROR, "there is no event mode."); }

/* ---- variables -------------------------------------------------------------------------------- */

static const Variable *variable(const Instance *me, uint32_t reference)
{
    if (reference < jourdain_numbers.n_variables)
        return &jourdain_variables[reference];
    told(me, ERROR, "there is no variable with the reference %u.", (unsigned)reference);
    return NULL;
}

EXPORT Status fmi3GetFloat64(
    void *instance, const uint32_t *references, size_t n, double *values, size_t n_values)
{
    Instance *me = instance;
    if (n != n_values)
        return told(me, ERROR, "%zu variables have %zu values.", n, n_values);
    for (size_t k = 0; k < n; k++) {
        const Variable *x = variable(me, references[k]);
        if (!x)
            return ERROR;
        if (x->kind == STATE || x->kind == OUTPUT) {
            Status status = begin(me);
            if (status != OK)
                return status;
        }
        if (x->kind == OUTPUT)
            evaluate(me);
        bool is_early_time = x->kind == TIME && me->mode < STEPPING;
        values[k] = is_early_time ? me->t : *number(me, x->place);
    }
    return OK;
}

EXPORT Status fmi3SetFloat64(
    void *instance, const uint32_t *references, size_t n, const double *values, size_t n_values)
{
    Instance *me = instance;
    if (n != n_values)
        return told(me, ERROR, "%zu variables have %zu values.", n, n_values);
    for (size_t k = 0; k < n; k++) {
        const Variable *x = variable(me, references[k]);
        if (!x)
            return ERROR;
        unsigned reference = references[k];
        if (x->kind == TIME || x->kind == OUTPUT)
            return told(me, ERROR, "variable %u is computed and cannot be set.", reference);
        if (x->kind != INPUT && me->mode >= STEPPING)
            return told(me, ERROR, "variable %u is set before the initialization ends.", reference);
        if (!isfinite(values[k]))
            return told(me, ERROR, "variable %u gets %g, which is no number.", reference, values[k]);
        *number(me, x->kind == STATE ? x->start : x->place) = values[k];
        me->is_current = me->has_begun = false;
        me->has_changed = true;
    }
    return OK;
}

/* ---- states of an instance ---------------------------------------------------------------------- */

static size_t state_size(void) { return sizeof(Instance) + (size_t)jourdain_numbers.size; }

static void store(const Instance *me, unsigned char *state)
{
    memcpy(state, me, sizeof *me);
    memcpy(state + sizeof *me, me->memory, (size_t)jourdain_numbers.size);
}

static void recall(Instance *me, const unsigned char *state)
{
    Instance own = *me;
    memcpy(me, state, sizeof *me);
    me->raw = own.raw, me->memory = own.memory;
    me->log = own.log, me->environment = own.environment;
    memcpy(me->memory, state + sizeof *me, (size_t)jourdain_numbers.size);
    set_addresses(me);
}

EXPORT Status fmi3GetFMUState(void *instance, void **state)
{
    if (!*state)
        *state = malloc(state_size());
    if (!*state)
        return told(instance, ERROR, "there is no memory for a state.");
    store(instance, *state);
    return OK;
}

EXPORT Status fmi3SetFMUState(void *instance, void *state)
{
    recall(instance, state);
    return OK;
}

EXPORT Status fmi3FreeFMUState(void *instance, void **state)
{
    (void)instance;
    free(*state);
    *state = NULL;
    return OK;
}

EXPORT Status fmi3SerializedFMUStateSize(void *instance, void *state, size_t *size)
{
    (void)instance, (void)state;
    *size = state_size();
    return OK;
}

EXPORT Status fmi3SerializeFMUState(void *instance, void *state, uint8_t *bytes, size_t size)
{
    if (size < state_size())
        return told(instance, ERROR, "%zu bytes are too few for a state.", size);
    memcpy(bytes, state, state_size());
    return OK;
}

EXPORT Status fmi3DeserializeFMUState(
    void *instance, const uint8_t *bytes, size_t size, void **state)
{
    if (size != state_size())
        return told(instance, ERROR, "%zu bytes are no state of this FMU.", size);
    if (!*state)
        *state = malloc(size);
    if (!*state)
        return told(instance, ERROR, "there is no memory for a state.");
    memcpy(*state, bytes, size);
    return OK;
}

/* ---- what this FMU has not ---------------------------------------------------------------------- */

#define NO_VARIABLES(type)                                                                         \
    EXPORT Status fmi3Get##type(void *me, const uint32_t *references, size_t n)                    \
    {                                                                                              \
        (void)references;                                                                          \
        return n ? told(me, ERROR, "there are no variables of type " #type ".") : OK;              \
    }                                                                                              \
    EXPORT Status fmi3Set##type(void *me, const uint32_t *references, size_t n)                    \
    {                                                                                              \
        (void)references;                                                                          \
        return n ? told(me, ERROR, "there are no variables of type " #type ".") : OK;              \
    }
NO_VARIABLES(Float32)
NO_VARIABLES(Int8)
NO_VARIABLES(UInt8)
NO_VARIABLES(Int16)
NO_VARIABLES(UInt16)
NO_VARIABLES(Int32)
NO_VARIABLES(UInt32)
NO_VARIABLES(Int64)
NO_VARIABLES(UInt64)
NO_VARIABLES(Boolean)
NO_VARIABLES(String)
NO_VARIABLES(Binary)
NO_VARIABLES(Clock)

#define NO_INSTANCE(name)                                                                          \
    EXPORT void *fmi3##name(void) { return NULL; }
NO_INSTANCE(InstantiateModelExchange)
NO_INSTANCE(InstantiateScheduledExecution)

#define REFUSED(name)                                                                              \
    EXPORT Status fmi3##name(void *me) { return told(me, ERROR, "fmi3" #name " is not there."); }
REFUSED(GetNumberOfVariableDependencies)
REFUSED(GetVariableDependencies)
REFUSED(GetDirectionalDerivative)
REFUSED(GetAdjointDerivative)
REFUSED(EnterConfigurationMode)
REFUSED(ExitConfigurationMode)
REFUSED(GetIntervalDecimal)
REFUSED(GetIntervalFraction)
REFUSED(GetShiftDecimal)
REFUSED(GetShiftFraction)
REFUSED(SetIntervalDecimal)
REFUSED(SetIntervalFraction)
REFUSED(SetShiftDecimal)
REFUSED(SetShiftFraction)
REFUSED(EvaluateDiscreteStates)
REFUSED(UpdateDiscreteStates)
REFUSED(EnterEventMode)
REFUSED(EnterContinuousTimeMode)
REFUSED(CompletedIntegratorStep)
REFUSED(SetTime)
REFUSED(SetContinuousStates)
REFUSED(GetContinuousStateDerivatives)
REFUSED(GetEventIndicators)
REFUSED(GetContinuousStates)
REFUSED(GetNominalsOfContinuousStates)
REFUSED(GetNumberOfEventIndicators)
REFUSED(GetNumberOfContinuousStates)
REFUSED(GetOutputDerivatives)
REFUSED(ActivateModelPartition)
