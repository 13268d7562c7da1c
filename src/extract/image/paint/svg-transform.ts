// SVG's transform attribute → PDF's `cm` operators, in the same order.

const EACH = /(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^)]*)\)/g;

export function transformOperators(value: string): string {
  return [...value.matchAll(EACH)]
    .flatMap(([, name = "", list = ""]) =>
      toMatrices(
        name,
        list
          .trim()
          .split(/[\s,]+/)
          .map(Number),
      ),
    )
    .filter((matrix) => matrix.length === 6 && matrix.every(Number.isFinite))
    .map((matrix) => `${matrix.map((each) => each.toFixed(6)).join(" ")} cm`)
    .join(" ");
}

function toMatrices(name: string, values: readonly number[]): readonly (readonly number[])[] {
  const [a = 0, b, c] = values;
  const radians = (a * Math.PI) / 180;
  switch (name) {
    case "matrix":
      return [values];
    case "translate":
      return [[1, 0, 0, 1, a, b ?? 0]];
    case "scale":
      return [[a, 0, 0, b ?? a, 0, 0]];
    case "rotate": {
      const turn = [
        Math.cos(radians),
        Math.sin(radians),
        -Math.sin(radians),
        Math.cos(radians),
        0,
        0,
      ];
      if (b === undefined || c === undefined) return [turn];
      return [[1, 0, 0, 1, b, c], turn, [1, 0, 0, 1, -b, -c]];
    }
    case "skewX":
      return [[1, 0, Math.tan(radians), 1, 0, 0]];
    default:
      return [[1, Math.tan(radians), 0, 1, 0, 0]];
  }
}
