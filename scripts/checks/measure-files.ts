import ts from 'typescript'

/** Lines of code of a TypeScript module: not blank, not a comment, not an import. */
export function countCodeLines(text: string): number {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true)
  const lines = new Set<number>()
  const visit = (node: ts.Node): void => {
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
  return lines.size
}

/** The modules that a module imports, types included, as it names them. */
export const importsOf = (text: string): string[] =>
  ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
