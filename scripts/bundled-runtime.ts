// What of ONNX Runtime goes into the package.

export const RUNTIME = "onnxruntime-node";

/** What only its install step needs goes with that step. */
const INSTALL_ONLY = ["adm-zip", "global-agent"];

/**
 * For GPUs on Windows, loaded only where one is asked for, and a second copy of the Mac's library: the binding
 * loads the one with the short name.
 */
const LEFT_OUT = ["DirectML.dll", "dxcompiler.dll", "dxil.dll", "libonnxruntime.*.*.*.dylib"];

type Manifest = Readonly<Record<string, unknown>>;

export function toBundled({ scripts: _, dependencies, ...rest }: Manifest): Manifest {
  return {
    ...rest,
    files: ["bin", "dist", ...LEFT_OUT.map((name) => `!bin/**/${name}`)],
    dependencies: Object.fromEntries(
      Object.entries((dependencies ?? {}) as object).filter(
        ([name]) => !INSTALL_ONLY.includes(name),
      ),
    ),
  };
}
