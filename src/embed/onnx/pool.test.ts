import { expect, test } from "vitest";
import { withoutFolders } from "./pool.ts";

const FOLDERS = ["/srv/a b/models/", "C:\\Users\\me\\models\\", "/", "\\\\host\\share\\models\\"];

test.each([
  ["ENOENT: no such file or directory, open '@tokenizer.json'", "open 'tokenizer.json'"],
  ["Load model from @model.onnx failed", "from model.onnx failed"],
  ["Cannot find module '@binding.node'", "module 'binding.node'"],
  ["@model.onnx is damaged", "(model.onnx is damaged)"],
  ["onnx/model_quantized.onnx is missing or unreadable", "(onnx/model_quantized.onnx is missing"],
])("the reason '%s' names the file, never its folder", (reason, shown) => {
  for (const folder of FOLDERS) {
    const message = `(${withoutFolders(reason.replace("@", folder))})`;
    expect(message).toContain(shown);
    for (const part of ["srv", "Users", "host", "models"]) expect(message).not.toContain(part);
  }
});
