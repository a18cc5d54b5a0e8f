import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PlanName } from '#conformance/kit/check.ts'
import type { LoadedMutant, MutantTable, Patch } from '#conformance/kit/mutant.ts'
import { root } from '#test/support/repository.ts'
import {
  type CompiledCode,
  codeOf,
  codeSelection,
  compilerSettings,
  compilerVersion,
} from '../../../scripts/contracts/compiler-settings.ts'

/** Where patched sources look which mutant is active: they can't import anything. */
const register = 'testbed.active-mutant'
const active = `globalThis[Symbol.for(${JSON.stringify(register)})]`

/** The seam of all mutants that ignore rules. */
const ruleEngine: Patch = {
  file: 'core/verification/rules.ts',
  find: 'const notes: string[] = []',
  replace: `if (${active}?.ignoresRules?.includes(rule)) continue; const notes: string[] = []`,
}

/**
 * Contracts read the active mutant from the balance of this account, which receives no
 * payments here.
 */
const contractRegister = '0x4d7574'

/** Switches between the correct part and its mutants. */
export interface MutantSwitch {
  /** Makes one of them the active one, or none if it is omitted. */
  activate(mutant?: LoadedMutant): void
}

/**
 * From now on sources are loaded with the deviations of all these mutants in them, each behind a
 * condition, so that one process and one running system can be every mutant in turn and production
 * code has no switches. Must run before the first import of what it changes.
 * @throws TypeError, when the file is loaded, if the text does not occur exactly once
 */
export function installMutants(mutants: readonly LoadedMutant[]): MutantSwitch {
  const patches = new Map<string, { patch: Patch; name: string }[]>([
    [ruleEngine.file, [{ patch: ruleEngine, name: 'the rule engine' }]],
  ])
  for (const { name, patches: own = [], contract } of mutants) {
    // Of a contract's patches one may make a function a view, so that another can ask.
    if (contract !== undefined && !contract.some((patch) => asksIsMutant(patch))) {
      throw new TypeError(`${name}: no replacement in a contract asks isMutant`)
    }
    for (const patch of own) {
      const { file } = patch
      if (!asksIsMutant(patch)) {
        throw new TypeError(`${name}: the replacement in ${file} does not ask isMutant`)
      }
      patches.set(file, [...(patches.get(file) ?? []), { patch, name }])
    }
  }
  const ofContracts = mutants.filter(({ contract }) => contract !== undefined)
  for (const patch of contractSeams(ofContracts)) {
    patches.set(patch.file, [...(patches.get(patch.file) ?? []), { patch, name: 'the contracts' }])
  }
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.startsWith('file:') || loaded.source === undefined) return loaded
      const file = relative(root, fileURLToPath(url)).replaceAll('\\', '/')
      const own = patches.get(file)
      if (own === undefined) return loaded
      let source = String(loaded.source)
      if (typeof loaded.source !== 'string') source = new TextDecoder().decode(loaded.source)
      for (const each of own) source = applyPatch(source, each.patch, each.name)
      return { ...loaded, source }
    },
  })
  return {
    activate(mutant) {
      const state = mutant && {
        name: mutant.name,
        ignoresRules: mutant.ignoresRules ?? [],
        contract: ofContracts.indexOf(mutant) + 1,
      }
      Object.assign(globalThis, { [Symbol.for(register)]: state })
    },
  }
}

/** How the chain passes each request on to its engine. */
const sending = 'const { data } = await provider.handleRequest(JSON.stringify(message))'

/**
 * Has the contracts deployed with all deviations in them, and sets the active mutant on the chain
 * before each request.
 */
function contractSeams(mutants: readonly LoadedMutant[]): Patch[] {
  if (mutants.length === 0) return []
  const folder = compileContractMutants(patchContracts(mutants))
  return [
    {
      file: 'testbed/registries/deploy-contracts.ts',
      find: "resolve(import.meta.dirname, '../../contracts/compiled')",
      replace: JSON.stringify(folder),
    },
    {
      file: 'testbed/chain/create-simulated-network.ts',
      find: sending,
      replace: `const wanted = ${active}?.contract ?? 0
      if ((provider.shownMutant ?? 0) !== wanted) {
        provider.shownMutant = wanted
        const params = ['0x${contractRegister.slice(2).padStart(40, '0')}', '0x' + wanted.toString(16)]
        const method = 'hardhat_setBalance'
        await provider.handleRequest(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
      }
      ${sending}`,
    },
  ]
}

/**
 * @param condition what `isMutant` stands for, by default in TypeScript
 * @throws TypeError for text that is not there exactly once
 */
export function applyPatch(
  source: string,
  patch: Patch,
  name: string,
  condition = `(${active}?.name === ${JSON.stringify(name)})`,
): string {
  const { file } = patch
  const { find, replace } = readPatch(patch)
  const count = source.split(find).length - 1
  if (count !== 1) {
    throw new TypeError(
      `${name}: ${file} contains the text ${count} times instead of once:\n${find}`,
    )
  }
  const text = replace.replaceAll(/\bisMutant\b/g, () => condition)
  return source.replace(find, () => text)
}

const asksIsMutant = (patch: Patch) => /\bisMutant\b/.test(readPatch(patch).replace)

const removed = /\[-(.*?)-\]/gs
const added = /\{\+(.*?)\+\}/gs

/** The text to find in the file, and its replacement. */
function readPatch(patch: Patch): { find: string; replace: string } {
  if ('find' in patch) return patch
  if ('edit' in patch) {
    const keep = (text: string, lost: RegExp, kept: RegExp) =>
      text.replace(lost, '').replace(kept, (_, inner) => inner)
    return {
      find: keep(patch.edit, added, removed),
      replace: keep(patch.edit, removed, added),
    }
  }
  const active = patch.when === undefined ? 'isMutant' : `(isMutant && ${patch.when})`
  return 'never' in patch
    ? { find: patch.never, replace: `(${patch.never} && !${active})` }
    : { find: patch.always, replace: `(${patch.always} || ${active})` }
}

/**
 * The mutants of a plan in the order of their checks, from its `mutants.ts`.
 * @throws TypeError for one without any deviation
 */
export async function loadMutants(plan: PlanName): Promise<LoadedMutant[]> {
  const { mutants }: { mutants: MutantTable } = await import(
    `#conformance/plans/${plan}/mutants.ts`
  )
  return Object.entries(mutants).map(([name, mutant]) => {
    const { deviation, ignoresRules = [] } = mutant
    const all = patchesOf(mutant)
    if (ignoresRules.length + all.length === 0) {
      throw new TypeError(`${plan}: the mutant ${name} deviates in nothing`)
    }
    const check = name.slice(0, name.indexOf('-'))
    const contract = all.filter(({ file }) => file.endsWith('.sol'))
    const patches = all.filter((patch) => !contract.includes(patch))
    const loaded = { name, check, plan, deviation, ignoresRules, patches }
    return contract.length > 0 ? { ...loaded, contract } : loaded
  })
}

/** The patches of a mutant one by one, of all files. */
function patchesOf(mutant: MutantTable[keyof MutantTable]): Patch[] {
  const { patches = [] } = mutant
  const written = 'file' in mutant ? [mutant, ...patches] : patches
  return written.flatMap((patch) =>
    'edits' in patch ? patch.edits.map((edit) => ({ file: patch.file, edit })) : [patch],
  )
}

const deployed = ['DidRegistry', 'TrustedIssuersRegistry']

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Record<string, Record<string, { evm: CompiledCode }>>
}

type ContractSources = Readonly<Record<string, { readonly content: string }>>

/** The contracts with the deviations of all these mutants in them. */
function patchContracts(mutants: readonly LoadedMutant[]): ContractSources {
  const paths = globSync('contracts/**/*.sol', { cwd: root, exclude: ['contracts/test/**'] }).sort()
  const patch = (path: string) => {
    let text = readFileSync(join(root, path), 'utf8')
    for (const [index, { name, contract = [] }] of mutants.entries()) {
      const condition = `(address(uint160(${contractRegister})).balance == ${index + 1})`
      for (const each of contract) {
        if (each.file === path) text = applyPatch(text, each, name, condition)
      }
    }
    return text
  }
  return Object.fromEntries(paths.map((path) => [path, { content: patch(path) }]))
}

/**
 * Why the contracts with the deviations of all mutants in them do not compile. It creates no code,
 * which takes most of the time.
 */
export function findContractProblem(mutants: readonly LoadedMutant[]): string | undefined {
  const ofContracts = mutants.filter(({ contract }) => contract !== undefined)
  if (ofContracts.length === 0) return undefined
  try {
    compile(patchContracts(ofContracts), { outputSelection: { '*': { '*': ['abi'] } } })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/**
 * Compiles the contracts with the deviations of all mutants in them, with the same settings as for
 * deployment. Returns the folder with the bytecode, which is made once for each content.
 */
function compileContractMutants(sources: ContractSources): string {
  const content = JSON.stringify({ compilerVersion, compilerSettings, sources })
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const folder = join(root, '.cache', 'contract-mutants', hash)
  const fileOf = (name: string) => join(folder, `${name}.json`)
  if (deployed.every((name) => existsSync(fileOf(name)))) return folder
  const output = compile(sources, {
    ...compilerSettings,
    outputSelection: { '*': { '*': codeSelection } },
  })
  mkdirSync(folder, { recursive: true })
  for (const name of deployed) {
    const contract = output.contracts[`contracts/${name}.sol`]?.[name]
    if (contract === undefined) throw new TypeError(`The compiler gave no contract ${name}.`)
    writeFileSync(fileOf(name), JSON.stringify(codeOf(contract.evm)))
  }
  return folder
}

/** @throws TypeError with the errors of the compiler */
function compile(sources: ContractSources, settings: object): CompilerOutput {
  // Loading the compiler takes longer than running all mutants; as a rule it is not needed.
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }
  const input = JSON.stringify({ language: 'Solidity', sources, settings })
  const output: CompilerOutput = JSON.parse(solc.compile(input))
  const errors = output.errors?.filter(({ severity }) => severity === 'error') ?? []
  if (errors.length > 0) {
    throw new TypeError(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  }
  return output
}
