import { isAlias, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import { formatPath, type TargetProblem } from './target-problem.ts'

/** A position in the file. */
interface Place {
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
}

/** A problem of the YAML itself, or of its content. */
export interface PlacedProblem extends Place {
  /** The member that it is about; absent for the YAML itself. */
  readonly member?: string
  readonly message: string
  readonly advice?: string
}

/** A YAML file, and the position of each value. */
export interface TargetFile {
  readonly value: unknown
  /** Problems of the YAML itself. */
  readonly problems: readonly PlacedProblem[]
  place(problem: TargetProblem): PlacedProblem
}

const yamlProblems: Readonly<Record<string, { message: string; advice?: string }>> = {
  DUPLICATE_KEY: { message: 'a member occurs twice', advice: 'Keep one of them.' },
  TAB_AS_INDENT: { message: 'a tab indents this line', advice: 'Indent with spaces.' },
  MULTIPLE_DOCS: {
    message: 'a second document begins here',
    advice: 'Write each target to a separate file.',
  },
}

/**
 * Reads YAML 1.2. Aliases, anchors and tags are rejected: a target does not need them, and a few
 * lines of them can expand without limit.
 */
export function parseTargetFile(text: string): TargetFile {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false })
  const placeAt = (offset = 0): Place => {
    const { line, col } = counter.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const found = document.errors.map(({ code, message, pos }) => ({
    ...placeAt(pos[0]),
    ...(yamlProblems[code] ?? {
      message: `this is not valid YAML: ${message}`,
      advice: 'If a value contains any of { } [ ] , : #, put it into quotes.',
    }),
  }))
  // After the first problem of a line, the parser misunderstands the rest of the line.
  const problems: PlacedProblem[] = found.filter(
    ({ line }, index) => found[index - 1]?.line !== line,
  )
  visit(document, {
    Node(_, node) {
      const anchored = isAlias(node) || ('anchor' in node && node.anchor !== undefined)
      const tagged = !isAlias(node) && node.tag !== undefined
      if (!anchored && !tagged) return
      const what = tagged ? 'YAML tags' : 'YAML anchors and aliases'
      const advice = 'Write the value itself.'
      problems.push({ ...placeAt(node.range?.[0]), message: `${what} are not supported`, advice })
    },
  })
  const value = problems.length > 0 ? undefined : document.toJS()

  const offsetOfValue = (path: readonly PropertyKey[]): number | undefined => {
    const node = document.getIn(path, true)
    return isNode(node) ? node.range?.[0] : undefined
  }
  const offsetOfName = (path: readonly PropertyKey[]): number | undefined => {
    const map = document.getIn(path.slice(0, -1), true)
    const name = String(path.at(-1))
    const pair = isMap(map)
      ? map.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      : undefined
    return isScalar(pair?.key) ? pair.key.range?.[0] : undefined
  }
  /** A missing value is reported at the name of the nearest member around it. */
  const offsetOf = ({ path, isName = false }: TargetProblem): number => {
    for (let length = path.length; length > 0; length--) {
      const part = path.slice(0, length)
      const offset =
        isName || length < path.length
          ? (offsetOfName(part) ?? offsetOfValue(part))
          : (offsetOfValue(part) ?? offsetOfName(part))
      if (offset !== undefined) return offset
    }
    return offsetOfValue([]) ?? 0
  }
  return {
    value,
    problems,
    place(problem) {
      const { path, message, advice } = problem
      const name = formatPath(path)
      return {
        ...placeAt(offsetOf(problem)),
        ...(name !== '' && { member: name }),
        message: name === '' ? message : `${name} ${message}`,
        ...(advice === undefined ? {} : { advice }),
      }
    },
  }
}
