export interface PackageManifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** A line of docs/dependencies.md: a list item that begins with the package's name as code. */
const line = /^- `([^`]+)`:? \S/gm

/**
 * Compares package.json with docs/dependencies.md, where each dependency has one line of reason.
 * @returns sentences that say what is missing where; none where both agree
 */
export function findDependencyDrift(manifest: PackageManifest, document: string): string[] {
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
  const explained = [...document.matchAll(line)].map(([, name = '']) => name)
  return [
    ...declared
      .filter((name) => !explained.includes(name))
      .map((name) => `${name} is in package.json: give its reason in docs/dependencies.md`),
    ...explained
      .filter((name) => !declared.includes(name))
      .map((name) => `${name} is in docs/dependencies.md, not in package.json: remove its line`),
    ...explained
      .filter((name, index) => explained.indexOf(name) !== index)
      .map((name) => `${name} is in docs/dependencies.md twice`),
  ]
}
