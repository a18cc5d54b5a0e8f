import { parseCLI, startVitest } from 'vitest/node'
import { chooseChangedTests } from './checks/find-affected-tests.ts'
import { closingLine, createTallyReporter } from './checks/tally.ts'

// `npm test -- ARGUMENTS` accepts the arguments of vitest: files, `-t NAME`, `--reporter`, …
const {
  filter,
  options: { changed, ...options },
} = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
// Vitest's own `--changed` follows only imports, and misses programs that a test starts as a
// process.
if (changed) {
  const { files, remark } = chooseChangedTests(changed === true ? 'HEAD' : String(changed))
  console.log(remark)
  if (files.length === 0) {
    console.log(closingLine({ passed: 0, failed: 0, skipped: 0 }))
    process.exit(0)
  }
  filter.push(...files)
}
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
