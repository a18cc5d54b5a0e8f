// Finds phrases that read translated in documentation, comments and strings; see --help.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findPhrases, type PhraseHit } from './checks/prose/extract-prose.ts'
import { readArguments } from './read-arguments.ts'

const usage = `node scripts/check-prose.ts [FOLDER…] [--list|--summary]

Finds phrases that read translated in documentation, comments and strings, and prints the words and
hits of each folder. If a folder has too many, it lists the hits in changed lines.

--list     lists each hit with what to write instead
--summary  prints only the figures
--help     prints this text`

/**
 * The most hits that each folder may have: 7,300 in total when the list began, 29 per 1,000 words.
 * Lower a number with each change that rewrites texts, down to zero. A file that moves takes its
 * hits along. A folder that is not in the list may have none.
 */
const ceilings: Readonly<Record<string, number>> = { test: 5 }

const root = dirname(import.meta.dirname)
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

const { values, positionals } = readArguments(usage, {
  options: { list: { type: 'boolean' }, summary: { type: 'boolean' } },
  allowPositionals: true,
})
const folders = positionals.map((folder) => folder.replace(/^\.\/|\/$/g, ''))
const files = git('ls-files', '--cached', '--others', '--exclude-standard')
  .split('\n')
  .filter(
    (file) =>
      existsSync(join(root, file)) &&
      /\.(md|m?[tj]s|sol|ya?ml|tsv)$/.test(file) &&
      (folders.length === 0 ||
        folders.some(
          (folder) =>
            file === folder ||
            (folder === '.' ? !file.includes('/') : file.startsWith(`${folder}/`)),
        )),
  )

/** `.` holds the files of the root. */
const tallies = new Map<string, { words: number; hits: PhraseHit[] }>()
for (const file of files) {
  const folder = file.includes('/') ? file.slice(0, file.indexOf('/')) : '.'
  const tally = tallies.get(folder) ?? { words: 0, hits: [] }
  const { words, hits } = findPhrases(file, readFileSync(join(root, file), 'utf8'))
  tally.words += words
  tally.hits.push(...hits)
  tallies.set(folder, tally)
}

const print = ({ file, line, phrase, instead, excerpt }: PhraseHit) =>
  console.log(`${file}:${line}: "${phrase}": write ${instead}   (… ${excerpt} …)`)
const printRow = (folder: string, words: number, hits: number, ceiling: number | string) => {
  const density = ((hits * 1000) / Math.max(words, 1)).toFixed(1)
  console.log(
    `${folder.padEnd(18)}${String(words).padStart(8)} words${String(hits).padStart(6)} hits  ${density.padStart(5)} per 1,000  (at most ${ceiling})`,
  )
}

const sorted = [...tallies].sort(([a], [b]) => a.localeCompare(b))
const hits = sorted.flatMap(([, tally]) => tally.hits)
if (values.list) for (const hit of hits) print(hit)
let [words, ceiling] = [0, 0]
const tooMany: string[] = []
for (const [folder, tally] of sorted) {
  const most = ceilings[folder] ?? 0
  printRow(folder, tally.words, tally.hits.length, most)
  words += tally.words
  ceiling += most
  if (tally.hits.length > most) tooMany.push(folder)
}
printRow('all', words, hits.length, ceiling)

if (tooMany.length > 0) {
  console.log(`\nMore hits than allowed: ${tooMany.join(', ')}. docs/style.md says how to write.`)
  if (!values.list && !values.summary) {
    const changed = changedLines()
    for (const hit of hits) if (changed.has(`${hit.file}:${hit.line}`)) print(hit)
    console.log(`All hits: node scripts/check-prose.ts ${tooMany.join(' ')} --list`)
  }
  process.exitCode = 1
}

/** Lines that differ from the branch `main`, or from the last commit if there is no `main`. */
function changedLines(): Set<string> {
  const base = git('branch', '--list', 'main').trim() === '' ? 'HEAD' : 'main'
  const lines = new Set<string>()
  let file = ''
  for (const text of git('diff', '--unified=0', '--merge-base', base).split('\n')) {
    file = /^\+\+\+ b\/(.*)/.exec(text)?.[1] ?? file
    const [, from, count = '1'] = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(text) ?? []
    for (let at = 0; from && at < Number(count); at++) lines.add(`${file}:${Number(from) + at}`)
  }
  return lines
}
