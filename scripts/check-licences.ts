// Compares docs/licences.md with package-lock.json: the packages that users of the npm package
// install, by licence. With --write it updates the document. A person must read a licence that is
// not in the list below before it is added.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { keepGenerated, reportProblems } from './checks/report-problems.ts'

const allowed = ['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0']
const root = dirname(import.meta.dirname)

interface LockedPackage {
  readonly version: string
  readonly license?: string
  readonly dev?: boolean
}

const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
)
const installed = Object.entries(packages)
  .filter(([path, { dev }]) => path !== '' && !dev)
  .map(([path, { version, license = 'unknown' }]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version,
    license,
  }))

/** Whether an SPDX expression offers an allowed licence. */
const isAllowed = (expression: string) =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((license) => allowed.includes(license))

const byLicence = Map.groupBy(installed, ({ license }) => license)
const sections = [...byLicence]
  .sort(([, one], [, other]) => other.length - one.length)
  .map(([license, list]) => {
    const names = list.map(({ name, version }) => `${name} ${version}`)
    const sorted = [...new Set(names)].sort()
    return `## ${license} (${sorted.length})\n\n${sorted.join(', ')}\n`
  })
const document = `# Licences of the dependencies

Generated from \`package-lock.json\` by \`node scripts/check-licences.ts --write\`; do not edit.

The npm package contains our code, under [Apache-2.0](../LICENSE), and bundles of some packages below in \`dist/bundles\`, whose licences are in \`LICENSES.txt\` there. It installs the packages below, on some platforms not all of them. Each package contains the text of its licence.

${sections.join('\n')}`

const problems = installed
  .filter(({ license }) => !isAllowed(license))
  .map(({ name, license }) => `${name}: the licence ${license} is not on the list of allowed ones`)
problems.push(...keepGenerated({ 'docs/licences.md': document }))
reportProblems(problems, `${installed.length} packages, all under allowed licences.`)
