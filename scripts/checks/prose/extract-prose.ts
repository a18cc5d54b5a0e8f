import ts from 'typescript'
import { isScalar, LineCounter, parseAllDocuments, visit } from 'yaml'
import { phrases } from './phrases.ts'

/** A paragraph, comment or string of a file, in one line. */
export interface Prose {
  /** Code in backticks and `${…}` is replaced by `CODE`. */
  readonly text: string
  /** The line of the file, from 1, in which the character at `offset` of `text` is. */
  readonly lineAt: (offset: number) => number
}

interface Line {
  readonly text: string
  readonly line: number
}

/** Extracts the English text of a file: all of Markdown, comments and strings of code. */
export function extractProse(file: string, text: string): Prose[] {
  const extract = extractors.find(([pattern]) => pattern.test(file))?.[1]
  return extract ? extract(text).flatMap(createProse) : []
}

const extractors: readonly (readonly [RegExp, (text: string) => Line[][]])[] = [
  [/\.md$/, readMarkdown],
  [/\.m?[tj]s$/, readScript],
  [/\.sol$/, (text) => readComments(text, findSolidityStrings(text))],
  [/\.ya?ml$/, readYaml],
  [/\.tsv$/, (text) => text.split('\n').map((line, index) => [{ text: line, line: index + 1 }])],
]

function createProse(lines: readonly Line[]): Prose[] {
  let text = ''
  const starts: { offset: number; line: number }[] = []
  for (const each of lines) {
    const masked = maskCode(each.text).replace(/\s+/g, ' ').trim()
    if (masked === '') continue
    if (text !== '') text += ' '
    starts.push({ offset: text.length, line: each.line })
    text += masked
  }
  if (countWords(text) < 2) return []
  const lineAt = (offset: number) =>
    starts.findLast((start) => start.offset <= offset)?.line ?? lines[0]?.line ?? 1
  return [{ text, lineAt }]
}

/** Counts words of letters; `CODE` is one. */
const countWords = (text: string): number => text.match(/\p{L}[\p{L}'’-]*/gu)?.length ?? 0

const maskCode = (text: string) =>
  text
    .replace(/`[^`]*`/g, 'CODE')
    .replace(/\{@link [^}]*\}/g, 'CODE')
    .replace(/\bhttps?:\/\/\S+/g, 'CODE')

function readMarkdown(text: string): Line[][] {
  const pieces: Line[][] = []
  let paragraph: Line[] = []
  let isCode = false
  const end = () => {
    if (paragraph.length > 0) pieces.push(paragraph)
    paragraph = []
  }
  for (const [index, raw] of text.split('\n').entries()) {
    if (/^\s*(```|~~~)/.test(raw)) {
      isCode = !isCode
      end()
    } else if (isCode || raw.trim() === '') end()
    else {
      const line = raw.replace(/\]\([^)\s]*\)/g, ']').replace(/<[^>]*>|[*[\]]/g, '')
      if (/^\s*\|/.test(line)) {
        end()
        // A cell ends at a bar that is not escaped.
        for (const cell of line.split(/(?<!\\)\|/)) pieces.push([{ text: cell, line: index + 1 }])
      } else {
        if (/^\s*(#|-|\d+\.|>)/.test(line)) end()
        paragraph.push({ text: line.replace(/^[\s#>-]+/, ''), line: index + 1 })
      }
    }
  }
  end()
  return pieces
}

type Span = readonly [start: number, end: number]

function readScript(text: string): Line[][] {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, false)
  const spans: Span[] = []
  const pieces: Line[][] = []
  const addString = (start: number, value: string) => {
    const { line } = source.getLineAndCharacterOfPosition(start)
    pieces.push(...splitMarkup(value, line + 1).filter((lines) => isEnglish(lines)))
  }
  const walk = (node: ts.Node): void => {
    const start = node.getStart(source)
    if (ts.isImportDeclaration(node) || ts.isRegularExpressionLiteral(node)) {
      spans.push([start, node.end])
      return
    }
    if (ts.isStringLiteralLike(node)) {
      spans.push([start, node.end])
      addString(start, node.text)
      return
    }
    if (ts.isTemplateExpression(node)) {
      spans.push([node.head.getStart(source), node.head.end])
      let value = node.head.text
      for (const { expression, literal } of node.templateSpans) {
        spans.push([literal.getStart(source), literal.end])
        const breaks = text.slice(expression.pos, expression.end).split('\n').length - 1
        value += `CODE${'\n'.repeat(breaks)}${literal.text}`
        walk(expression)
      }
      addString(start, value)
      return
    }
    ts.forEachChild(node, walk)
  }
  walk(source)
  return [...pieces, ...readComments(text, spans)]
}

/** Splits a string at tags and blank lines, so that the text of a page remains. */
function splitMarkup(value: string, firstLine: number): Line[][] {
  const pieces: Line[][] = [[]]
  for (const [index, line] of value.split('\n').entries()) {
    if (line.trim() === '') pieces.push([])
    for (const [part, text] of line.split(/<[^>]*>|<[^>]*$|^[^<]*>/).entries()) {
      if (part > 0) pieces.push([])
      pieces.at(-1)?.push({ text, line: firstLine + index })
    }
  }
  return pieces
}

/** At least two adjacent words in lower case, and nothing that only code has. */
function isEnglish(lines: readonly Line[]): boolean {
  const text = maskCode(lines.map((line) => line.text).join(' '))
  if (!/(^|[\s("'])\p{L}[\p{L}'’-]*,? [\p{Ll}A-Z]/u.test(text)) return false
  return !/=>|[{};]\s*$|^\s*[.{[]|\w\(\)|\)\.\w|===|&&|\|\||\bconst \w+|--\w+: |\b(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE TABLE)\b/.test(
    text,
  )
}

/** Comments outside the spans of literals; `//` comments in consecutive lines are one. */
function readComments(text: string, literals: readonly Span[]): Line[][] {
  const spans = [...literals].sort(([a], [b]) => a - b)
  const pieces: Line[][] = []
  let lastLine = -1
  let [at, line, index] = [0, 1, 0]
  for (const start = /\/[/*]/g; start.exec(text); ) {
    const from = start.lastIndex - 2
    while ((spans[index]?.[1] ?? text.length) <= from) index++
    const span = spans[index]
    if (span && span[0] <= from) {
      start.lastIndex = span[1]
      continue
    }
    const isLine = text.startsWith('//', from)
    const end = text.indexOf(isLine ? '\n' : '*/', from + 2)
    start.lastIndex = end < 0 ? text.length : end
    line += text.slice(at, from).split('\n').length - 1
    at = from
    const comment = readComment(text.slice(from, start.lastIndex), line)
    if (isLine && lastLine === line - 1) pieces.at(-1)?.push(...comment)
    else pieces.push(comment)
    lastLine = isLine ? line : -1
  }
  return pieces
}

function readComment(comment: string, firstLine: number): Line[] {
  return comment
    .split('\n')
    .map((raw, index) => ({
      text: raw.replace(/^\s*(\/\/\/?|\/\*\*?|\*)?/, ''),
      line: firstLine + index,
    }))
    .filter(({ text }) => !/^\s*(@row|@custom:row|@assumption|biome-ignore|@ts-|SPDX-)/.test(text))
}

const findSolidityStrings = (text: string): Span[] =>
  [...text.matchAll(/\/\/.*|\/\*[\s\S]*?\*\/|(["'])(?:\\.|(?!\1).)*\1/g)]
    .filter(([match]) => !match.startsWith('/'))
    .map(({ index, 0: match }) => [index, index + match.length])

function readYaml(text: string): Line[][] {
  const pieces: Line[][] = text
    .split('\n')
    .flatMap((raw, index) =>
      /^\s*#/.test(raw) ? [[{ text: raw.replace(/^\s*#/, ''), line: index + 1 }]] : [],
    )
  const counter = new LineCounter()
  for (const document of parseAllDocuments(text, { lineCounter: counter })) {
    if (!('contents' in document)) continue
    visit(document, {
      Pair(_, { key, value }) {
        if (!isScalar(key) || !/^(description|name|title|summary)$/.test(String(key.value))) return
        if (!isScalar(value) || typeof value.value !== 'string') return
        const { line } = counter.linePos(value.range?.[0] ?? 0)
        pieces.push([{ text: value.value, line }])
      },
    })
  }
  return pieces
}

export interface PhraseHit {
  readonly file: string
  readonly line: number
  readonly phrase: string
  readonly instead: string
  /** The words as the file has them, with some around. */
  readonly excerpt: string
}

/** Files that quote the phrases or other documents. Keep this list short. */
const exemptions: readonly { readonly files: RegExp; readonly reason: string }[] = [
  { files: /^scripts\/checks\/prose\/phrases\.ts$/, reason: 'lists the phrases' },
  { files: /^docs\/style\.md$/, reason: 'quotes the phrases as counterexamples' },
  { files: /^docs\/coverage\/clauses\.tsv$/, reason: 'quotes the standards' },
]

/** Finds the phrases that read translated, and counts the words of the file. */
export function findPhrases(file: string, text: string): { words: number; hits: PhraseHit[] } {
  if (isGenerated(text) || exemptions.some(({ files }) => files.test(file))) {
    return { words: 0, hits: [] }
  }
  const prose = extractProse(file, text)
  const hits = prose.flatMap((piece) =>
    phrases.flatMap(({ phrase, pattern, instead }) =>
      [...piece.text.matchAll(pattern)].map(({ index, 0: match }) => ({
        file,
        line: piece.lineAt(index),
        phrase,
        instead,
        excerpt: piece.text.slice(Math.max(0, index - 25), index + match.length + 25).trim(),
      })),
    ),
  )
  return { words: prose.reduce((sum, piece) => sum + countWords(piece.text), 0), hits }
}

/** The texts of a generated file are counted at their source. */
export const isGenerated = (text: string) =>
  /^(<!-- |\/\/ |\/\*\* )?(Made|Generated) (by|from) /m.test(text.slice(0, 300))
