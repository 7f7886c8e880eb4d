// measure.mjs - how long one run takes, in nanoseconds: the best of many turns, once it is warm.
const now = () => Number(process.hrtime.bigint());

function time(run, times) {
    const start = now();
    for (let i = 0; i < times; i++)
        run();
    return (now() - start) / times;
}

// `few` runs at once while it warms up. Turns must be long enough to collect garbage in.
export function measure(name, run, { turns, turnNs, warmUpNs, few }) {
    const end = now() + warmUpNs;
    let best = Infinity;
    do
        best = Math.min(best, time(run, few));
    while (now() < end);
    for (let turn = 0; turn < turns; turn++)
        best = Math.min(best, time(run, Math.ceil(turnNs / best)));
    console.log(name, best.toFixed(2));
}
