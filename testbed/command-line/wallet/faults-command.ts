import type { Command } from 'commander'
import { allFaults } from '#wallet-emulator/faults/all-faults.ts'
import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import { print, printJson } from '../terminal/print.ts'

/** `testbed wallet faults`: the deviations that `--fault` takes, in the order of the flow. */
export function addFaultsCommand(parent: Command): void {
  parent
    .command('faults')
    .description('list how a wallet can deviate, and the rule that it breaks by that')
    .action((_, command: Command) => {
      const { json } = command.optsWithGlobals<{ readonly json?: boolean }>()
      if (json) return printJson(allFaults.map(describeFault))
      const rows = allFaults.map(({ name, check, description, rule }) => [
        name,
        check,
        description,
        rule,
      ])
      print(
        createTable([
          ['name', 'check', 'what the wallet does', 'the rule that it breaks'],
          ...rows,
        ]),
      )
    })
}

/** All but how it is done. */
function describeFault({ apply, ...fault }: WalletFault) {
  return { ...fault, stages: Object.keys(apply) }
}

function createTable(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<readonly number[]>(
    (widest, row) => row.map((cell, index) => Math.max(cell.length, widest[index] ?? 0)),
    [],
  )
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
