import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { root } from '#test/support/repository.ts'
import { documentedOfRoute, textMembers } from './deciding-code.ts'
import { isApart } from './separate-part.ts'

/** A declaration at the top of a module. */
export interface DeclarationName {
  readonly file: string
  readonly name: string
}

/** `core/did/did-org.ts didPrefixes`. */
const keyOf = ({ file, name }: DeclarationName) => `${file} ${name}`

/** The names that a declaration refers to: in its functions, and when its module loads. */
interface Declaration {
  readonly inFunctions: ReadonlySet<string>
  readonly atLoad: ReadonlySet<string>
  /** A route with a handler. */
  readonly isRoute: boolean
}

interface Module {
  readonly declarations: ReadonlyMap<string, Declaration>
  /** Names in statements that declare nothing. */
  readonly loose: ReadonlySet<string>
  /** Local names of imports. A name `*` stands for all exports. */
  readonly imports: ReadonlyMap<string, DeclarationName>
}

export interface PartUse {
  /** The module that starts the part. */
  readonly entry: string
  readonly services: readonly string[]
  /** Whether a module has mutants. The others count as executed by checks. */
  readonly isMutated: (file: string) => boolean
  readonly executedByChecks: readonly DeclarationName[]
  /** Declarations with code that is executed when modules load. */
  readonly executedAtLoad: readonly DeclarationName[]
}

/**
 * Which declarations of a part are used while checks run. A value that is computed when its module
 * loads, such as a schema, is used only if code that a check executes refers to it, or another used
 * value. Otherwise no check can notice a mutant in it. The list of routes refers to all of them: a
 * route is used only if a check executes its handler.
 */
export function findUsedDeclarations({
  entry,
  services,
  isMutated,
  executedByChecks,
  executedAtLoad,
}: PartUse): (declaration: DeclarationName) => boolean {
  const modules = readModules(entry, services)
  const used = new Set<string>()
  const loading = new Set(executedAtLoad.map(keyOf))
  const executed = new Set(executedByChecks.map(keyOf))

  function use(declaration: DeclarationName): void {
    const { file, name } = declaration
    const key = keyOf(declaration)
    const module = modules.get(file)
    if (module === undefined || used.has(key)) return
    const declared = module.declarations.get(name)
    if (declared?.isRoute && !executed.has(key) && isMutated(file)) return
    used.add(key)
    if (name === '*') {
      follow(file, module.declarations.keys())
      return
    }
    const { atLoad = [name], inFunctions = [] } = declared ?? {}
    follow(file, atLoad)
    if (loading.has(key)) follow(file, inFunctions)
  }
  function follow(file: string, names: Iterable<string>): void {
    const module = modules.get(file)
    for (const name of names) {
      const imported = module?.imports.get(name)
      if (imported) use(imported)
      else if (module?.declarations.has(name)) use({ file, name })
    }
  }

  for (const [file, { declarations, loose }] of modules) {
    follow(file, loose)
    if (isMutated(file)) continue
    for (const { atLoad, inFunctions } of declarations.values()) {
      follow(file, atLoad)
      follow(file, inFunctions)
    }
  }
  for (const declaration of executedByChecks) {
    const { file, name } = declaration
    use(declaration)
    follow(file, modules.get(file)?.declarations.get(name)?.inFunctions ?? [])
  }
  return (declaration) =>
    used.has(keyOf(declaration)) ||
    !modules.get(declaration.file)?.declarations.has(declaration.name)
}

/** The modules of the part that are loaded for an entry, without the kit and other services. */
function readModules(entry: string, services: readonly string[]): ReadonlyMap<string, Module> {
  const modules = new Map<string, Module>()
  const open = [entry]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (modules.has(file)) continue
    const module = readModule(file, services)
    modules.set(file, module)
    for (const imported of module.imports.values()) open.push(imported.file)
  }
  return modules
}

function readModule(file: string, services: readonly string[]): Module {
  const text = readFileSync(join(root, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const declarations = new Map<string, Declaration>()
  const imports = new Map<string, DeclarationName>()
  const loose = new Set<string>()

  const importAs = (local: string, specifier: string, name: string) => {
    const found = fileOf(specifier, file)
    if (found !== undefined && !isApart(found, services)) imports.set(local, { file: found, name })
  }
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      const { importClause: clause, moduleSpecifier } = statement
      const specifier = (moduleSpecifier as ts.StringLiteral).text
      if (clause?.isTypeOnly) continue
      const bindings = clause?.namedBindings
      if (bindings && ts.isNamespaceImport(bindings)) importAs(bindings.name.text, specifier, '*')
      if (!bindings || !ts.isNamedImports(bindings)) continue
      for (const { name, propertyName, isTypeOnly } of bindings.elements) {
        if (!isTypeOnly) importAs(name.text, specifier, (propertyName ?? name).text)
      }
      continue
    }
    for (const [name, node] of declarationsOf(statement)) {
      const atLoad = new Set<string>()
      const inFunctions = new Set<string>()
      collect(node, (text, isInFunction) => (isInFunction ? inFunctions : atLoad).add(text))
      if (name !== undefined) {
        declarations.set(name, { atLoad, inFunctions, isRoute: isRoute(node) })
      } else for (const text of [...atLoad, ...inFunctions]) loose.add(text)
    }
  }
  // Modules that are loaded on demand, with all that they export.
  for (const [, specifier = ''] of text.matchAll(/\bimport\('([^']+)'\)/g)) {
    importAs(specifier, specifier, '*')
    loose.add(specifier)
  }
  return { declarations, loose, imports }
}

/** The declarations of a statement; an undefined name for what declares nothing by a plain name. */
function declarationsOf(statement: ts.Statement): [string | undefined, ts.Node][] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map((each) => [
      ts.isIdentifier(each.name) ? each.name.text : undefined,
      each,
    ])
  }
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return []
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
    return [[statement.name?.text, statement]]
  }
  return [[undefined, statement]]
}

/** Calls back for each name in a node that may refer to a value. */
function collect(node: ts.Node, onName: (text: string, isInFunction: boolean) => void): void {
  const visit = (child: ts.Node, isInFunction: boolean): void => {
    if (ts.isTypeNode(child) || isDocumentation(child)) return
    if (ts.isIdentifier(child)) onName(child.text, isInFunction)
    const isInside = isInFunction || ts.isFunctionLike(child)
    ts.forEachChild(child, (each) => visit(each, isInside))
  }
  visit(node, false)
}

/** Whether a declaration is the result of a call with an object that has a handler. */
function isRoute(node: ts.Node): boolean {
  if (!ts.isVariableDeclaration(node) || !node.initializer) return false
  const { initializer } = node
  if (!ts.isCallExpression(initializer)) return false
  const [route] = initializer.arguments
  return (
    route !== undefined &&
    ts.isObjectLiteralExpression(route) &&
    route.properties.some((member) => member.name?.getText() === 'handle')
  )
}

/** Whether a member only holds words for people, such as the documented answers of a route. */
const isDocumentation = (node: ts.Node): boolean =>
  ts.isPropertyAssignment(node) &&
  ((documentedOfRoute.has(node.name.getText()) &&
    node.parent.properties.some((member) => member.name?.getText() === 'handle')) ||
    (textMembers.has(node.name.getText()) && ts.isTemplateExpression(node.initializer)))

/** The path of a module of the repository from its root; undefined for a package. */
function fileOf(specifier: string, from: string): string | undefined {
  const [, alias = '', rest = ''] = /^#([^/]+)\/(.+)$/.exec(specifier) ?? []
  const path = specifier.startsWith('.')
    ? join(dirname(from), specifier)
    : alias === ''
      ? undefined
      : join(alias === 'kit' ? 'services/kit' : alias, rest)
  if (path === undefined || !existsSync(join(root, path)) || !path.endsWith('.ts')) return undefined
  return relative('', path).replaceAll('\\', '/')
}
