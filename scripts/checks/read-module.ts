import ts from 'typescript'

/** An import of a module; `*` for everything, also by `import()`. */
interface Import {
  /** As written in the module: `./log.ts`, `#core/did/did-org.ts`, `zod`. */
  readonly specifier: string
  readonly names: readonly string[]
}

interface Export {
  readonly name: string
  readonly isType: boolean
}

interface Module {
  /** Lines that are not blank, not a comment and not an import. */
  readonly codeLines: number
  readonly imports: readonly Import[]
  readonly exports: readonly Export[]
}

/** Reads a TypeScript or JavaScript module. */
export function readModule(text: string): Module {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true)
  const lines = new Set<number>()
  const imports: Import[] = []
  const visit = (node: ts.Node): void => {
    const found = importOf(node)
    if (found) imports.push(found)
    if (ts.isImportDeclaration(node)) return
    const children = node.getChildren(source)
    if (children.length === 0 && node.getEnd() > node.getStart(source)) {
      const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line
      const last = source.getLineAndCharacterOfPosition(node.getEnd()).line
      for (let line = first; line <= last; line++) lines.add(line)
    }
    for (const child of children) if (!ts.isJSDoc(child)) visit(child)
  }
  visit(source)
  return { codeLines: lines.size, imports, exports: source.statements.flatMap(exportsOf) }
}

/** The import of a node: an `import`, an `export … from`, `import()`, or the import of a type. */
export function importOf(node: ts.Node): Import | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    const { moduleSpecifier } = node
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier)) return undefined
    const bindings = ts.isImportDeclaration(node)
      ? node.importClause?.namedBindings
      : node.exportClause
    const isNamed = bindings && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings))
    const names = isNamed
      ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
      : ['*']
    return { specifier: moduleSpecifier.text, names }
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [specifier] = node.arguments
    if (specifier && ts.isStringLiteralLike(specifier)) {
      return { specifier: specifier.text, names: ['*'] }
    }
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    const { literal } = node.argument
    if (ts.isStringLiteral(literal)) return { specifier: literal.text, names: ['*'] }
  }
  return undefined
}

function exportsOf(statement: ts.Statement): Export[] {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
  if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)
  const names = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.map(({ name }) => name)
    : [(statement as ts.DeclarationStatement).name]
  return names
    .filter((name) => name !== undefined && ts.isIdentifier(name))
    .map(({ text }) => ({ name: text, isType }))
}
