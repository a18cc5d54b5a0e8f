export interface PackageManifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** A line of docs/dependencies.md: a list item that begins with the package's name as code. */
const line = /^- `([^`]+)`:? \S/gm

/**
 * Compares package.json with docs/dependencies.md, where each dependency has one line of reason.
 * @returns sentences that say what is missing; empty if both agree
 */
export function findDependencyDrift(manifest: PackageManifest, document: string): string[] {
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
  const explained = [...document.matchAll(line)].map(([, name = '']) => name)
  return [
    ...declared
      .filter((name) => !explained.includes(name))
      .map((name) => `${name} is in package.json: add its reason to docs/dependencies.md`),
    ...explained
      .filter((name) => !declared.includes(name))
      .map((name) => `${name} is in docs/dependencies.md but not in package.json: remove its line`),
    ...explained
      .filter((name, index) => explained.indexOf(name) !== index)
      .map((name) => `${name} is in docs/dependencies.md twice`),
  ]
}

export interface SourceFile {
  /** Path below the repository's root. */
  readonly file: string
  readonly text: string
}

/**
 * Compares the numbers in the code (`@assumption A-07`) with docs/assumptions.md.
 * @param table the document: one table row per number, with its anchor, in ascending order
 * @returns sentences that describe the problems; empty if there are none
 */
export function findUnknownAssumptions(table: string, sources: readonly SourceFile[]): string[] {
  const listed = [...table.matchAll(/^\| <a id="(A-\d+)"><\/a>\1 \|/gm)].map(
    ([, number = '']) => number,
  )
  const misplaced = listed
    .filter((number, index) => Number(number.slice(2)) <= Number(listed[index - 1]?.slice(2) ?? 0))
    .map((number) => `${number} breaks the order of docs/assumptions.md`)
  const unknown = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/@assumption ((?:A-\d+(?:, | and | )?)+)/g)].flatMap(([, numbers = '']) =>
      [...numbers.matchAll(/A-\d+/g)]
        .map(([number]) => number)
        .filter((number) => !listed.includes(number))
        .map((number) => `${file} names ${number}, which docs/assumptions.md does not list`),
    ),
  )
  return [...misplaced, ...unknown]
}
