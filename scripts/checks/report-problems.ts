import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const root = dirname(dirname(import.meta.dirname))

/** Prints the problems that a check found, or what is right without any. Sets the exit code. */
export function reportProblems(problems: readonly string[], success: string): void {
  console.log(problems.length === 0 ? success : problems.join('\n'))
  process.exitCode = problems.length === 0 ? 0 : 1
}

/**
 * Writes generated files with `--write`; otherwise returns a problem for each that differs from its
 * content. Paths are relative to the repository.
 */
export function keepGenerated(files: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(files).flatMap(([file, content]) => {
    const path = join(root, file)
    if (existsSync(path) && readFileSync(path, 'utf8') === content) return []
    if (!process.argv.includes('--write')) {
      const script = basename(process.argv[1] ?? '')
      return [`${file} is out of date: run node scripts/${script} --write`]
    }
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    console.log(`${file} written.`)
    return []
  })
}
