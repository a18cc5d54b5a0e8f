import type { Command } from 'commander'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { collect } from '../collect.ts'

/** What a command takes whose wallet may deviate. */
export interface FaultOption {
  readonly fault?: readonly string[]
}

/** Adds `--fault`, which may be given several times: each deviation adds to the others. */
export function addFaultOption(command: Command): Command {
  return command.option(
    '--fault <name>',
    `deviate like this, once or more; ${programCommand} wallet faults lists what there is`,
    collect,
  )
}
