import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import {
  createStatement,
  listKits,
  listTargets,
  nameResults,
  type Statement,
} from '#conformance/kit/evidence/statement.ts'
import { renderStatement } from '#conformance/kit/evidence/statement-markdown.ts'
import { signStatement } from '#conformance/kit/evidence/verify-statement.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import { createDifference, hasNewFailures } from '#scenarios/reports/create-difference.ts'
import { writeReports } from '#scenarios/reports/write-reports.ts'
import { createFolder } from '#wallet-emulator/store/create-folder.ts'
import { exitCodes } from '../exit-codes.ts'
import { readSigningKey, type SigningOptions } from '../options.ts'
import { findResults, formatDifference, readResults, readResultsFile } from '../read-results.ts'

export const summary =
  'regenerate the reports of a run, compare two runs, or merge runs of conformance plans'

export const examples = [
  ['report reports/scenarios', 'regenerate the reports'],
  ['report out --compare before', 'with the changes since an earlier run'],
  ['report diff before after', 'only the changes, in the terminal'],
  ['report merge wallet verifier --product-version 2.1', 'a statement from two runs'],
  [
    "report merge runs/* --product 'Acme Suite' --product-version 2.1 --mixed-targets",
    'a statement about a product with several parts',
  ],
] as const

export function configure(command: Command): void {
  command
    .argument('<results>', 'a results.json, or its folder')
    .option('--report <dir>', 'folder for the reports; default: the folder of the results')
    .option('--compare <results>', 'an earlier run; the reports show the changes since then')
    .action((path: string, options: ReportOptions) => report(path, options))
    .hook('preSubcommand', refuseOwnOptions)
  command
    .command('diff')
    .description(
      'show what is new, removed, newly failing, fixed or slower; exit code 1 if something broke',
    )
    .argument('<before>', 'a results.json or its folder')
    .argument('<after>', 'a results.json or its folder')
    .action((before: string, after: string, _: object, own: Command) =>
      printDifference(before, after, own.optsWithGlobals<ReportOptions>().json === true),
    )
  command
    .command('merge')
    .description('build one statement about a version of a product from runs of conformance plans')
    .argument('<results...>', 'results.json files of conformance runs, or their folders')
    .requiredOption('--product-version <version>', 'the tested version of the product (required)')
    .option('--product <name>', 'name of the product; default: the name of the target')
    .option('--vendor <name>', 'vendor of the product')
    .option('--mixed-targets', 'targets with different names are parts of this product')
    .option('--mixed-kits', 'merge runs of different versions of the kit')
    .option('--out <dir>', 'folder for the statement and the results that it is about', 'statement')
    .option('--sign <key>', 'JWK or PEM file; writes statement.jws, which anyone can verify')
    .option('--key-id <id>', 'kid of the signature; default: the did:key of the key')
    .action((paths: readonly string[], _: object, own: Command) =>
      merge(paths, own.optsWithGlobals<MergeOptions>()),
    )
}

/** Options of `report` itself, which commander also accepts after the name of a subcommand. */
function refuseOwnOptions(command: Command, subcommand: Command): void {
  const used = ['report', 'compare'].find((name) => command.getOptionValueSource(name) === 'cli')
  if (used) subcommand.error(`error: report ${subcommand.name()} has no option --${used}`)
}

interface ReportOptions {
  readonly report?: string
  readonly compare?: string
  readonly json?: boolean
}

interface MergeOptions extends SigningOptions {
  readonly productVersion: string
  readonly product?: string
  readonly vendor?: string
  readonly mixedTargets?: boolean
  readonly mixedKits?: boolean
  readonly out: string
  readonly json?: boolean
}

async function report(path: string, options: ReportOptions): Promise<void> {
  const { report: folder, compare, json } = options
  const results = await readResults(path)
  const earlier = compare === undefined ? undefined : await readResults(compare)
  const paths = await writeReports(folder ?? dirname(await findResults(path)), results, {
    earlier,
    workingFolder: process.cwd(),
  })
  process.stdout.write(json ? `${JSON.stringify(paths)}\n` : `${paths.join('\n')}\n`)
}

async function printDifference(before: string, after: string, json: boolean): Promise<void> {
  const difference = createDifference(await readResults(before), await readResults(after))
  process.stdout.write(
    json
      ? `${JSON.stringify(difference, undefined, 2)}\n`
      : formatDifference(difference, process.stdout),
  )
  if (hasNewFailures(difference)) process.exitCode = exitCodes.failed
}

/** Merges runs into a statement, writes it with its runs into a folder, and prints the paths. */
async function merge(paths: readonly string[], options: MergeOptions): Promise<void> {
  const { out, productVersion: version, vendor, json } = options
  const key = await readSigningKey(options)
  const runs = await Promise.all(paths.map(readResultsFile))
  const names = new Set(runs.map(({ results }) => results.conformance?.target.name ?? ''))
  const name = options.product ?? [...names].join(', ')
  const product = { name, version, ...(vendor === undefined ? {} : { vendor }) }
  const statement = createStatement({ product, runs })
  refuseMixture(statement, options)
  const readable = {
    'statement.json': Buffer.from(`${JSON.stringify(statement, undefined, 2)}\n`),
    'statement.md': Buffer.from(renderStatement(statement)),
  }
  const now = Math.floor(Date.now() / 1000)
  const jws = key && signStatement({ statement, files: readable, key, now })
  const files = [
    ...Object.entries(readable),
    ...(jws === undefined ? [] : [['statement.jws', `${jws}\n`] as const]),
    ...nameResults(statement, runs),
  ]
  await createFolder(out)
  // A signature of an earlier statement does not belong to this one.
  await rm(join(out, 'statement.jws'), { force: true })
  for (const [file, content] of files) await writeFile(join(out, file), content)
  const written = files.map(([file]) => join(out, file))
  process.stdout.write(json ? `${JSON.stringify(written)}\n` : `${written.join('\n')}\n`)
}

/**
 * Rejects runs of targets or kits that differ, unless the options say so: such runs may not be about
 * the same product.
 * @throws TestbedError `invalid_option`
 */
function refuseMixture(
  statement: Statement,
  { product, mixedTargets, mixedKits }: MergeOptions,
): void {
  const [targets, kits] = [listTargets(statement), listKits(statement)]
  if (targets.length > 1 && !(mixedTargets && product !== undefined)) {
    throw wrongUsage(`The runs name different targets: ${targets.join(', ')}.`, [
      'If they are parts of one product, use --mixed-targets and --product NAME.',
    ])
  }
  if (kits.length > 1 && !mixedKits) {
    throw wrongUsage(`The runs used different versions of the kit: ${kits.join('; ')}.`, [
      'Repeat the older runs, or use --mixed-kits.',
    ])
  }
}
