// Checks the spelling of documentation, comments and strings with cspell, as cspell.json says.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { extractProse, isGenerated } from './checks/prose/extract-prose.ts'

/** Files with Spanish texts: they have a member `es`, or nothing else, or test such pages. */
const isSpanish = (file: string, text: string) =>
  /^services\/((idp|token-issuer)\/pages\/texts|idp\/admin\/texts|issuer\/domain\/offer-mail|mail\/routes\/pages)\.ts$/.test(
    file,
  ) ||
  (file.startsWith('testbed/console/') && /(^|[\s{(])(es|spanish)\b[^\n]{0,40}[:=]/m.test(text)) ||
  (file.startsWith('test/') && /lang=es\b|'es'/.test(text))

const root = dirname(import.meta.dirname)
const pieces = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(md|m?[tj]s|sol|ya?ml)$/.test(file))
  .filter((file) => existsSync(join(root, file)))
  .flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    if (isGenerated(text) || isSpanish(file, text)) return []
    return extractProse(file, text).map((piece) => ({ file, ...piece }))
  })

// One piece per line, so that a line of cspell's output identifies its piece.
const { stdout, stderr, status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/cspell/bin.mjs'),
    ...['lint', '--no-progress', '--no-summary', '--config', join(root, 'cspell.json')],
    'stdin://prose.txt',
  ],
  {
    cwd: root,
    encoding: 'utf8',
    input: pieces.map(({ text }) => text).join('\n'),
    maxBuffer: 2 ** 28,
  },
)
let unknown = 0
for (const [, line, column, problem] of stdout.matchAll(/:(\d+):(\d+) - (.*)/g)) {
  const piece = pieces[Number(line) - 1]
  console.log(`${piece?.file}:${piece?.lineAt(Number(column) - 1)}: ${problem}`)
  unknown++
}
if (status !== 0 && unknown === 0) console.log(stdout, stderr)
console.log(
  `${pieces.length} texts, ${unknown} unknown words. Add the product's words to cspell.txt.`,
)
process.exitCode = status ?? 1
