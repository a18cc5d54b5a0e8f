import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { closingLine } from './checks/tally.ts'

const root = dirname(import.meta.dirname)
const program = (path: string) => join(root, 'node_modules', path)

/** The checks other than tests: tools, and every `scripts/check-*.ts`. */
const checks: readonly { readonly name: string; readonly args: readonly string[] }[] = [
  { name: 'lint', args: [program('@biomejs/biome/bin/biome'), 'check', '.'] },
  {
    name: 'solhint',
    args: [program('solhint/solhint.js'), '--max-warnings', '0', 'contracts/**/*.sol'],
  },
  { name: 'types', args: [program('typescript/bin/tsc'), '--noEmit'] },
  ...globSync('scripts/check-*.ts', { cwd: root })
    .sort()
    .map((file) => ({
      name: basename(file, '.ts').replace('check-', ''),
      args: [join(root, file)],
    })),
]

async function runCheck({ name, args }: (typeof checks)[number]): Promise<boolean> {
  const began = performance.now()
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk) => chunks.push(chunk))
  child.stderr.on('data', (chunk) => chunks.push(chunk))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${name} (${seconds} s)`)
  if (code !== 0) console.log(Buffer.concat(chunks).toString().trimEnd())
  return code === 0
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !checks.some((check) => check.name === name))
if (unknown.length > 0) {
  console.error(
    `Unknown: ${unknown.join(', ')}. Checks: ${checks.map(({ name }) => name).join(', ')}`,
  )
  process.exit(2)
}
const selected = checks.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
const results: boolean[] = []
for (const check of selected) results.push(await runCheck(check))

const failed = results.filter((passed) => !passed).length
console.log(closingLine({ passed: results.length - failed, failed, skipped: 0 }))
process.exitCode = failed === 0 ? 0 : 1
