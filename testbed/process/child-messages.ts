import type { Failure } from './failure.ts'

/** A command to a child process, numbered so that its answer finds back. */
export type Numbered<Command> = Command & { readonly id: number }

/**
 * What a child process says: once that it is ready or why not, then one answer a command, and at
 * any time what it tells unasked.
 */
export type ChildReport =
  | { readonly ready: unknown }
  | { readonly failed: Failure }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failed: Failure }
  | { readonly told: unknown }
