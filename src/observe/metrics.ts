// Counters and histograms in Prometheus' text format.

type Labels = Readonly<Record<string, string>>;

export interface Metrics {
  count(name: string, help: string, labels?: Labels): void;
  observe(name: string, help: string, seconds: number, labels?: Labels): void;
  /** Read when metrics are asked for. */
  gauge(name: string, help: string, read: () => number): void;
  render(): string;
}

// From a call that is served from memory to one that reads a scanned book.
const BUCKETS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60];

interface Histogram {
  readonly counts: number[];
  sum: number;
  total: number;
}

interface Family<Value> {
  readonly help: string;
  readonly series: Map<string, Value>;
}

export function openMetrics(): Metrics {
  const counters = new Map<string, Family<number>>();
  const histograms = new Map<string, Family<Histogram>>();
  const gauges = new Map<string, { readonly help: string; readonly read: () => number }>();
  return {
    count(name, help, labels) {
      const { series } = familyOf(counters, name, help);
      const key = toKey(labels);
      series.set(key, (series.get(key) ?? 0) + 1);
    },
    observe(name, help, seconds, labels) {
      const { series } = familyOf(histograms, name, help);
      const key = toKey(labels);
      const histogram = series.get(key) ?? { counts: BUCKETS.map(() => 0), sum: 0, total: 0 };
      series.set(key, histogram);
      const at = BUCKETS.findIndex((bound) => seconds <= bound);
      if (at >= 0) histogram.counts[at] = (histogram.counts[at] ?? 0) + 1;
      histogram.sum += seconds;
      histogram.total += 1;
    },
    gauge: (name, help, read) => void gauges.set(name, { help, read }),
    render: () =>
      [
        ...[...counters].flatMap(([name, family]) => renderCounter(name, family)),
        ...[...histograms].flatMap(([name, family]) => renderHistogram(name, family)),
        ...[...gauges].flatMap(([name, { help, read }]) => [
          ...head(name, help, "gauge"),
          `${name} ${read()}`,
        ]),
        "",
      ].join("\n"),
  };
}

function familyOf<Value>(families: Map<string, Family<Value>>, name: string, help: string) {
  let family = families.get(name);
  if (!family) {
    family = { help, series: new Map() };
    families.set(name, family);
  }
  return family;
}

function renderCounter(name: string, { help, series }: Family<number>): readonly string[] {
  const lines = [...series].map(([key, value]) => `${name}${braced(key)} ${value}`);
  return [...head(name, help, "counter"), ...lines];
}

function renderHistogram(name: string, { help, series }: Family<Histogram>): readonly string[] {
  const lines = [...series].flatMap(([key, histogram]) => {
    let below = 0;
    const buckets = BUCKETS.map((bound, at) => {
      below += histogram.counts[at] ?? 0;
      return `${name}_bucket${braced(join(key, `le="${bound}"`))} ${below}`;
    });
    return [
      ...buckets,
      `${name}_bucket${braced(join(key, 'le="+Inf"'))} ${histogram.total}`,
      `${name}_sum${braced(key)} ${histogram.sum}`,
      `${name}_count${braced(key)} ${histogram.total}`,
    ];
  });
  return [...head(name, help, "histogram"), ...lines];
}

function head(name: string, help: string, type: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function toKey(labels: Labels = {}): string {
  let key = "";
  for (const [name, value] of Object.entries(labels)) {
    key = join(key, `${name}="${value.replace(/[\\"\n]/g, "_")}"`);
  }
  return key;
}

const join = (key: string, label: string) => (key === "" ? label : `${key},${label}`);
const braced = (key: string) => (key === "" ? "" : `{${key}}`);
