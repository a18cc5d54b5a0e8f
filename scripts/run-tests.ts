import { parseCLI, startVitest } from 'vitest/node'
import { closingLine } from './checks/closing-line.ts'
import { createTallyReporter } from './checks/tally-reporter.ts'

// `npm test -- ARGUMENTS` takes what vitest takes: files, `-t NAME`, `--reporter`, …
const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
const tally = createTallyReporter({ isFiltered: options.testNamePattern !== undefined })
const given = options.reporters ?? options.reporter ?? 'default'
const vitest = await startVitest('test', filter, {
  ...options,
  watch: false,
  reporters: [...[given].flat(), tally.reporter] as never,
})
await vitest.close()

for (const line of tally.remarks()) console.log(line)
const counts = tally.counts()
process.stdout.write(`${closingLine(counts)}\n`, () => process.exit(counts.failed === 0 ? 0 : 1))
