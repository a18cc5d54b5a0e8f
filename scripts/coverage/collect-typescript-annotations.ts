import ts from 'typescript'
import { type Annotation, type Annotations, type SourceFile, sideOf } from './annotation.ts'
import { parseRowIds } from './parse-row-ids.ts'

const annotation = /@row\s+(.*?)\s*(?:\*\/)?$/gm
const testFunctions = ['describe', 'it', 'test']

/** Each comment that names rows, with the outermost node that it stands above. */
function* annotatedNodes(
  source: ts.SourceFile,
): Generator<{ node: ts.Node; comment: ts.TextRange }> {
  const seen = new Set<number>()
  const queue: ts.Node[] = [source]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (!ts.isSourceFile(node)) {
      for (const comment of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []) {
        if (seen.has(comment.pos)) continue
        seen.add(comment.pos)
        yield { node, comment }
      }
    }
    const children: ts.Node[] = []
    ts.forEachChild(node, (child) => {
      children.push(child)
    })
    queue.push(...children.reverse())
  }
}

function topLevelOf(node: ts.Node): ts.Node {
  let current = node
  while (current.parent !== undefined && !ts.isSourceFile(current.parent)) current = current.parent
  return current
}

/** The value of the first property of that name below the node, where it is plain text. */
function textOfProperty(node: ts.Node, name: string): string | undefined {
  if (ts.isPropertyAssignment(node) && node.name.getText() === name) {
    if (ts.isStringLiteralLike(node.initializer)) return node.initializer.text
  }
  return ts.forEachChild(node, (child) => textOfProperty(child, name))
}

function nameOf(statement: ts.Node): string | undefined {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations[0]?.name.getText()
  }
  const { name } = statement as { name?: ts.Node }
  return name?.getText()
}

/** `GET /path` for a route, else the name of the declaration. */
function codeLabel(node: ts.Node): string | undefined {
  const statement = topLevelOf(node)
  const method = textOfProperty(statement, 'method')
  const path = textOfProperty(statement, 'path')
  if (method !== undefined && path?.startsWith('/')) return `${method.toUpperCase()} ${path}`
  const isContractRoute = /= defineContractRoute\(/.test(statement.getText().slice(0, 200))
  if (isContractRoute) return `POST /api/v1/contract/${textOfProperty(statement, 'operation')}`
  return nameOf(statement)
}

/** The title of a call of `it`, `describe` and their like; undefined for any other node. */
function titleOf(node: ts.Node | undefined): string | undefined {
  if (node === undefined || !ts.isExpressionStatement(node)) return undefined
  if (!ts.isCallExpression(node.expression)) return undefined
  const title = node.expression.arguments[0]
  const [, called] = /^(\w+)/.exec(node.expression.getText()) ?? []
  if (called === undefined || !testFunctions.includes(called) || title === undefined)
    return undefined
  if (ts.isStringLiteralLike(title)) return title.text
  return ts.isTemplateExpression(title) ? title.getText().slice(1, -1) : undefined
}

/** The title of a test, below those of its groups; of a scenario its title. */
function testLabel(node: ts.Node): string | undefined {
  if (ts.isVariableStatement(node)) return textOfProperty(node, 'title')
  const titles = [titleOf(node)]
  if (titles[0] === undefined) return undefined
  for (let group = node.parent; group !== undefined; group = group.parent) {
    titles.unshift(titleOf(group))
  }
  return titles.filter((title) => title !== undefined).join(' › ')
}

/**
 * Collects the `@row` lines of a TypeScript file: in the doc comment of a declaration, and above an
 * `it(`, `describe(` or a scenario.
 */
export function collectTypeScriptAnnotations({ file, text }: SourceFile): Annotations {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const side = sideOf(file)
  const annotations: Annotation[] = []
  const problems: string[] = []
  for (const { node, comment } of annotatedNodes(source)) {
    for (const match of text.slice(comment.pos, comment.end).matchAll(annotation)) {
      const line = source.getLineAndCharacterOfPosition(comment.pos + match.index).line + 1
      const { rows, unreadable } = parseRowIds(match[1] ?? '')
      const label = side === 'code' ? codeLabel(node) : testLabel(node)
      for (const word of unreadable) problems.push(`${file}:${line}: ${word} is not a statement id`)
      if (label !== undefined) annotations.push({ side, file, line, label, rows })
      else {
        const place = side === 'code' ? 'named declaration' : 'it(, describe( or scenario'
        problems.push(`${file}:${line}: stands above no ${place}`)
      }
    }
  }
  return { annotations, problems }
}
