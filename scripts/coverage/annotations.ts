import ts from 'typescript'
import type { SourceFile } from '../checks/document-drift.ts'

/** A place in the code that cites the statements of the profile that it implements or tests. */
export interface Annotation {
  readonly side: 'code' | 'test'
  /** Path below the repository's root. */
  readonly file: string
  /** Of the comment, counted from 1. */
  readonly line: number
  /**
   * The subject of the annotation: `GET /path`, an exported symbol, a contract's function, a test's
   * title.
   */
  readonly label: string
  /** Single ids of statements; ranges are written out. */
  readonly rows: readonly string[]
}

/** The annotations of one file, or of many. */
export interface Annotations {
  readonly annotations: readonly Annotation[]
  /** Sentences about unreadable annotations. */
  readonly problems: readonly string[]
}

/** A source file, as input of the collectors. */
/**
 * Tests are the files with these names, Solidity's included, and the scenarios; everything else is
 * code.
 */
const sideOf = (file: string): Annotation['side'] =>
  file.startsWith('test/') || file.startsWith('scenarios/suites/') || file.endsWith('.t.sol')
    ? 'test'
    : 'code'

/** An id as `2.endpoints/did-registry.3`, or a range of its last number: `2.errors/tir.1..3`. */
const idOrRange = /^(\d+\.[a-z0-9/-]+)\.(\d+)(?:\.\.(\d+))?$/

/**
 * Reads the ids of an annotation, which are separated by spaces, and expands the ranges.
 * @returns the single ids, and the invalid words
 */
function parseRowIds(text: string): {
  readonly rows: readonly string[]
  readonly unreadable: readonly string[]
} {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const read = words.map((word) => ({ word, rows: writeOut(word) }))
  return {
    rows: read.flatMap(({ rows }) => rows),
    unreadable: read.filter(({ rows }) => rows.length === 0).map(({ word }) => word),
  }
}

function writeOut(word: string): readonly string[] {
  const [, section, from, to = from] = idOrRange.exec(word) ?? []
  const length = Number(to) - Number(from) + 1
  return section === undefined || length < 1
    ? []
    : Array.from({ length }, (_, index) => `${section}.${Number(from) + index}`)
}

const solidityAnnotation = /^\s*(?:\/\/\/?|\*|\/\*\*)\s*@(?:custom:)?row\s+(.*?)\s*(?:\*\/)?$/
const comment = /^\s*(?:\/\/|\/\*|\*)/
const container = /^\s*(?:abstract\s+)?(?:contract|interface|library)\s+(\w+)/
const member = /^\s*(?:function|event|error|modifier|struct|enum)\s+(\w+)/

/**
 * Collects the `@custom:row` lines of a Solidity file's NatSpec; in a test `@row` in a plain comment
 * does as well. The label is `Contract.function`.
 */
export function collectSolidityAnnotations({ file, text }: SourceFile): Annotations {
  const side = sideOf(file)
  const annotations: Annotation[] = []
  const problems: string[] = []
  let pending: { line: number; rows: readonly string[] }[] = []
  let inside = ''
  text.split('\n').forEach((content, index) => {
    const ids = solidityAnnotation.exec(content)?.[1]
    if (ids !== undefined) {
      const { rows, unreadable } = parseRowIds(ids)
      for (const word of unreadable)
        problems.push(`${file}:${index + 1}: ${word} is not a statement id`)
      pending.push({ line: index + 1, rows })
      return
    }
    const [, holder] = container.exec(content) ?? []
    if (holder !== undefined) inside = holder
    const declared = holder ?? member.exec(content)?.[1]
    if (pending.length === 0 || comment.test(content)) return
    for (const each of pending) {
      if (declared === undefined) {
        problems.push(`${file}:${each.line}: is not above a function, event, error or contract`)
      } else {
        const label = declared === inside ? inside : `${inside}.${declared}`
        annotations.push({ side, file, label, ...each })
      }
    }
    pending = []
  })
  return { annotations, problems }
}

const typeScriptAnnotation = /@row\s+(.*?)\s*(?:\*\/)?$/gm
const testFunctions = ['describe', 'it', 'test']

/** Each comment that names rows, with the outermost node below it. */
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
    for (const match of text.slice(comment.pos, comment.end).matchAll(typeScriptAnnotation)) {
      const line = source.getLineAndCharacterOfPosition(comment.pos + match.index).line + 1
      const { rows, unreadable } = parseRowIds(match[1] ?? '')
      const label = side === 'code' ? codeLabel(node) : testLabel(node)
      for (const word of unreadable) problems.push(`${file}:${line}: ${word} is not a statement id`)
      if (label !== undefined) annotations.push({ side, file, line, label, rows })
      else {
        const place = side === 'code' ? 'named declaration' : 'it(, describe( or scenario'
        problems.push(`${file}:${line}: is not above a ${place}`)
      }
    }
  }
  return { annotations, problems }
}
