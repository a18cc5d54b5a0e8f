import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import {
  areaOf,
  checkedFolders,
  findLayerBreach,
  findMisplacement,
  hasUsualForm,
  impureGlobals,
  impurePackages,
  isPure,
  layerOf,
  mayImport,
  mayReadEnvironment,
  productFolders,
  pureModules,
  resolveImport,
} from './architecture-rules.ts'
import { importOf } from './read-module.ts'

/** One line that breaks an architecture rule. */
export interface Violation {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly problem: string
  readonly advice: string
}

type Report = (node: ts.Node, problem: string, advice: string) => void

function checkImport(file: string, specifier: string, node: ts.Node, report: Report): void {
  const from = areaOf(file)
  const target = resolveImport(file, specifier)
  const reportBreach = (breach: string | undefined) => {
    if (breach) report(node, breach, 'the layers are in scripts/checks/architecture-rules.ts')
  }
  if (target === undefined) {
    const isImpure =
      (specifier.startsWith('node:') && !pureModules.includes(specifier)) ||
      impurePackages.some((name) => specifier === name || specifier.startsWith(`${name}/`))
    if (isPure(file) && isImpure) {
      report(node, `imports ${specifier}`, 'this folder does no input or output: take a callback')
    }
    reportBreach(findLayerBreach(file, { specifier }))
    return
  }
  const to = areaOf(target)
  reportBreach(findLayerBreach(file, { target, specifier }))
  if (!mayImport(from, to)) {
    const advice =
      from.startsWith('services/') && to.startsWith('services/')
        ? 'services communicate over HTTP; move shared code to core or services/kit'
        : 'the rules are in scripts/checks/architecture-rules.ts; move shared code to a lower part'
    report(node, `${from} imports ${to} (${specifier})`, advice)
  } else if (specifier.startsWith('.') && from !== to) {
    report(node, `leaves ${from} by ${specifier}`, 'import other folders by their # name')
  } else if (from === 'testbed' && to === 'testbed' && layerOf(file) < layerOf(target)) {
    const advice =
      'the layers are in scripts/checks/architecture-rules.ts; move shared code to a lower layer'
    report(node, `imports a layer above its own (${specifier})`, advice)
  } else if (from === to && !hasUsualForm(file, specifier, target)) {
    const advice = 'use a # name for another folder, a relative path in the same one'
    report(node, `imports ${specifier}`, advice)
  }
}

function checkGlobal(file: string, node: ts.Node, report: Report): void {
  const problemOf = (): string | undefined => {
    if (ts.isNewExpression(node)) {
      const isNow = node.expression.getText() === 'Date' && !node.arguments?.length
      return isNow ? 'new Date()' : undefined
    }
    if (ts.isPropertyAccessExpression(node)) {
      const text = node.getText()
      return text === 'Date.now' || text === 'Math.random' ? text : undefined
    }
    if (!ts.isIdentifier(node) || !Object.hasOwn(impureGlobals, node.text)) return undefined
    const { parent } = node
    // A use of the global: `fetch(…)` or `process.…`, not a member or a parameter of that name.
    const isUse =
      (ts.isCallExpression(parent) && parent.expression === node) ||
      (ts.isPropertyAccessExpression(parent) && parent.expression === node)
    return isUse ? node.text : undefined
  }
  const name = problemOf()
  if (name === undefined || isShadowed(name, node)) return
  if (isPure(file)) {
    report(node, `uses ${name}`, `this folder does no input or output: ${impureGlobals[name]}`)
  }
}

/** True if a parameter or variable in scope has the global's name. */
function isShadowed(name: string, node: ts.Node): boolean {
  for (let scope: ts.Node | undefined = node.parent; scope; scope = scope.parent) {
    if (ts.isFunctionLike(scope) && scope.parameters.some((p) => p.name.getText() === name)) {
      return true
    }
  }
  return false
}

const collections = ['Map', 'Set', 'WeakMap', 'WeakSet']
const writes = ['set', 'add', 'delete', 'clear']

/** The caller can neither see nor reset state that a module of core keeps between calls. */
function checkState(file: string, node: ts.Node, report: Report): void {
  if (areaOf(file) !== 'core' || isInFunction(node)) return
  const advice = 'core is stateless: let the caller own the state and pass it'
  if (ts.isVariableStatement(node) && !(node.declarationList.flags & ts.NodeFlags.Const)) {
    report(node, 'has a module-level variable', advice)
  }
  if (!ts.isNewExpression(node) || !collections.includes(node.expression.getText())) return
  const name = ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : undefined
  const isTable = Boolean(node.arguments?.length) && !node.expression.getText().startsWith('Weak')
  if (isTable && (name === undefined || !isWrittenTo(name, node.getSourceFile()))) return
  report(node, `keeps a module-level ${node.expression.getText()}`, advice)
}

function isInFunction(node: ts.Node): boolean {
  return ts.findAncestor(node.parent, ts.isFunctionLike) !== undefined
}

function isWrittenTo(name: string, node: ts.Node): boolean {
  const isWrite =
    ts.isPropertyAccessExpression(node) &&
    node.expression.getText() === name &&
    writes.includes(node.name.text)
  return isWrite || (ts.forEachChild(node, (child) => isWrittenTo(name, child)) ?? false)
}

function checkFile(root: string, file: string): Violation[] {
  const text = readFileSync(join(root, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const violations: Violation[] = []
  const report: Report = (node, problem, advice) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    violations.push({ file, line: line + 1, problem, advice })
  }
  const visit = (node: ts.Node): void => {
    const found = importOf(node)
    if (found) checkImport(file, found.specifier, node, report)
    checkGlobal(file, node, report)
    checkState(file, node, report)
    if (
      ts.isPropertyAccessExpression(node) &&
      node.getText() === 'process.env' &&
      // Passing the whole environment to a child process reads nothing from it.
      !ts.isSpreadAssignment(node.parent) &&
      !mayReadEnvironment(file) &&
      !isPure(file)
    ) {
      report(node, 'reads process.env', 'only main.ts and testbed/command-line may; pass the value')
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  if (areaOf(file) === 'testbed' && layerOf(file) === -1) {
    report(source, 'is in no layer of testbed', 'list it in scripts/checks/architecture-rules.ts')
  }
  const misplacement = findMisplacement(file)
  if (misplacement !== undefined) {
    const advice = 'CONTRIBUTING.md describes the shape of a service'
    violations.push({ file, line: 1, problem: misplacement, advice })
  }
  return violations
}

/**
 * Checks every source file below `root` against the architecture rules: allowed imports, no input
 * or output in core and domain folders, no state in the modules of core, the environment read only
 * by programs, the shape of services.
 */
export function findArchitectureViolations(root: string): readonly Violation[] {
  return checkedFolders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,mts,js,mjs}`, { cwd: root }))
    .filter((file) => !dirname(file).split('/').includes('node_modules'))
    .sort()
    .flatMap((file) => checkFile(root, file))
}

const folders = [...productFolders, 'bench', 'scripts', 'test']

/** Cycles of files that import each other, imports of types included; each cycle sorted by name. */
export function findImportCycles(root: string): readonly (readonly string[])[] {
  const files = globSync(`{${folders.join(',')}}/**/*.{ts,mts,mjs}`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.includes('node_modules/'))
    .sort()
  return findCycles(new Map(files.map((file) => [file, readImports(root, file)])))
}

function readImports(root: string, file: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'), true, true)
  return importedFiles
    .map(({ fileName }) => resolveImport(file, fileName))
    .filter((target) => target !== undefined)
    .filter((target) => existsSync(join(root, target)))
}

/** The strongly connected components of more than one file, by Tarjan's algorithm. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (file: string): void => {
    const number = order.size
    order.set(file, number)
    lowest.set(file, number)
    stack.push(file)
    for (const target of graph.get(file) ?? []) {
      if (!order.has(target)) visit(target)
      if (!stack.includes(target)) continue
      lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0))
    }
    if (lowest.get(file) !== number) return
    const component = stack.splice(stack.indexOf(file))
    if (component.length > 1 || graph.get(file)?.includes(file)) cycles.push(component.sort())
  }
  for (const file of graph.keys()) visit(file)
  return cycles
}
