// Progress of an add. The stages share 20 steps by the time they take.
import type { Message } from "../../domain/phrases/messages.ts";
import { type TaskProgress, TOTAL_STEPS } from "../../domain/task.ts";

export type Stage = "reading" | "extracting" | "embedding" | "indexing" | "verifying";

const STAGES: readonly Stage[] = ["reading", "extracting", "embedding", "indexing", "verifying"];

type Shares = Readonly<Record<Stage, number>>;
// Extracting text is fast, the model is slow, and OCR is slower still.
const TEXT: Shares = { reading: 1, extracting: 5, embedding: 12, indexing: 1, verifying: 1 };
const PIXELS: Shares = { reading: 1, extracting: 13, embedding: 4, indexing: 1, verifying: 1 };

export interface Advance {
  readonly stage: Stage;
  readonly label: Message;
  /** Progress of the stage, 0 to 1. */
  readonly share?: number;
}

export type Report = (advance: Advance) => void;

export function stepsOf(kind: "text" | "pixels"): (advance: Advance) => TaskProgress {
  const shares = kind === "text" ? TEXT : PIXELS;
  return ({ stage, label, share = 0 }) => {
    const before = STAGES.slice(0, STAGES.indexOf(stage)).reduce((sum, at) => sum + shares[at], 0);
    const steps = before + shares[stage] * Math.min(1, Math.max(0, share));
    return {
      currentStep: [label],
      completedSteps: Math.floor(steps),
      totalSteps: TOTAL_STEPS,
      fraction: Math.round((steps / TOTAL_STEPS) * 1000) / 1000,
    };
  };
}
