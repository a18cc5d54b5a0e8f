import { type NodePath, template, types } from '@babel/core'
import { calleeName } from './deciding-code.ts'

/** Makes mutants of a node: each yielded node replaces it in one mutant. */
interface Operator {
  readonly name: string
  mutate(path: NodePath): Iterable<types.Node>
}

/** Where mutated code finds its helpers: it cannot import anything. */
export const helpersName = 'testbedMutation'

type Replacements = Readonly<Record<string, types.Node>>

/** An expression with the capitalized names replaced; `HELPERS` are those of the mutation run. */
function write(code: string, replacements: Replacements = {}): types.Expression {
  const copies = Object.entries(replacements).map(([name, node]) => [name, copy(node)])
  const build = template.expression(code.replaceAll('HELPERS', `globalThis.${helpersName}`), {
    placeholderPattern: /^[A-Z]{4,}$/,
  })
  return build(Object.fromEntries(copies))
}

const copy = <Node extends types.Node>(node: Node): Node => types.cloneNode(node, true, false)

/** The call that an expression consists of, with or without `await` before it. */
function callOf(node: types.Node): types.CallExpression | undefined {
  const inner = node.type === 'AwaitExpression' ? node.argument : node
  return inner.type === 'CallExpression' ? inner : undefined
}

const isStatement = ({ parent }: NodePath) => parent.type === 'ExpressionStatement'

/** Part of a chain or of an `await`: the outer expression is mutated instead. */
const isInner = ({ parent, key }: NodePath) =>
  parent.type === 'AwaitExpression' ||
  parent.type === 'SpreadElement' ||
  (parent.type === 'CallExpression' && key === 'callee') ||
  (parent.type === 'MemberExpression' && key === 'object')

const lookUp = /^(find|get|list|load|look|fetch|read|resolve)/
const question =
  /^(has|includes|startsWith|endsWith|test|some|every|is[A-Z].*|may[A-Z].*|can[A-Z].*)$/
const shapes = new Set(['object', 'strictObject', 'looseObject', 'extend'])

/** A member of a schema without which the same values pass: it only documents a name. */
const acceptsAnything = (member: types.Node): boolean =>
  member.type === 'ObjectProperty' &&
  member.value.type === 'CallExpression' &&
  calleeName(member.value.callee) === 'parameter'

/** What an administrator sets. No plan changes it, so that an answer never goes stale. */
const settings = /^(readCurrent|publishedKeys)$/

/** A literal that is never compared as text. */
const isNoText = (node: types.Node): boolean =>
  ['NullLiteral', 'NumericLiteral', 'BooleanLiteral', 'UnaryExpression'].includes(node.type) ||
  (node.type === 'Identifier' && node.name === 'undefined') ||
  // `kind` distinguishes values that this code creates, not texts from outside.
  (node.type === 'MemberExpression' && /^(length|kind)$/.test(calleeName(node)))

/**
 * The operators that Stryker lacks. They imitate mistakes of people who implement protocols: lenient
 * comparisons, limits off by one, forgotten members, calls and awaits, stale or unread answers.
 */
export const ownOperators: readonly Operator[] = [
  {
    name: 'LenientComparison',
    *mutate({ node }) {
      if (node.type !== 'BinaryExpression' || !/^[=!]==$/.test(node.operator)) return
      const { left, right, operator } = node
      if (left.type === 'PrivateName' || isNoText(left) || isNoText(right)) return
      const not = operator === '!==' ? '!' : ''
      const sides = { LEFT: left, RIGHT: right }
      const [text] = [left, right].flatMap((side) =>
        side.type === 'StringLiteral' ? side.value : [],
      )
      if (text === undefined || text.length > 1) {
        yield write(`${not}HELPERS.isPrefix(LEFT, RIGHT)`, sides)
      }
      if (text === undefined || /\p{L}/u.test(text)) {
        yield write(`${not}HELPERS.equalsIgnoringCase(LEFT, RIGHT)`, sides)
      }
    },
  },
  {
    name: 'NumberByOne',
    *mutate({ node, parent, key }) {
      if (node.type !== 'NumericLiteral' || key === 'key' || parent.type.startsWith('TS')) return
      yield types.numericLiteral(node.value + 1)
      // An HTTP status of 199 announces another answer, which never comes: no mistake of a person.
      if (node.value > 0 && node.value !== 200) yield types.numericLiteral(node.value - 1)
    },
  },
  {
    name: 'DropSchemaMember',
    *mutate({ node, parent, key }) {
      if (node.type !== 'ObjectExpression' || key !== 0 || parent.type !== 'CallExpression') return
      if (parent.callee.type !== 'MemberExpression' || !shapes.has(calleeName(parent.callee)))
        return
      for (const dropped of node.properties.filter((member) => !acceptsAnything(member))) {
        const kept = node.properties.filter((member) => member !== dropped)
        yield types.objectExpression(kept.map(copy))
      }
    },
  },
  {
    name: 'DropListMember',
    *mutate({ node }) {
      if (node.type !== 'ArrayExpression' || node.elements.length < 2) return
      for (const dropped of node.elements) {
        const kept = node.elements.filter((element) => element !== dropped)
        yield types.arrayExpression(kept.map((element) => element && copy(element)))
      }
    },
  },
  {
    name: 'SkipCall',
    *mutate(path) {
      if (isStatement(path) && callOf(path.node)) yield write('undefined')
    },
  },
  {
    name: 'SkipAwait',
    *mutate(path) {
      if (path.node.type !== 'AwaitExpression' || !isStatement(path)) return
      yield write('HELPERS.leave(async () => WORK)', { WORK: path.node })
    },
  },
  {
    name: 'KeepAnswer',
    *mutate(path) {
      const call = path.node.type === 'AwaitExpression' && callOf(path.node)
      if (!call || isStatement(path) || settings.test(calleeName(call.callee))) return
      yield write('await HELPERS.keep(async () => WORK)', { WORK: path.node })
    },
  },
  {
    name: 'IgnoreLookUp',
    *mutate(path) {
      const call = callOf(path.node)
      if (!call || isInner(path) || isStatement(path)) return
      if (lookUp.test(calleeName(call.callee))) yield write('undefined')
    },
  },
  {
    name: 'IgnoreQuestion',
    *mutate(path) {
      const call = callOf(path.node)
      if (!call || isInner(path) || isStatement(path) || path.parent.type === 'IfStatement') return
      if (!question.test(calleeName(call.callee))) return
      yield types.booleanLiteral(true)
      yield types.booleanLiteral(false)
    },
  },
]

interface Answer {
  readonly promise: Promise<unknown>
}

/** What mutated code calls. */
export function createHelpers() {
  let answer: Answer | undefined
  let comparisons = 0
  let comparedTexts = 0
  /** Compares leniently if both values are texts. */
  const compare = (one: unknown, other: unknown, leniently: (a: string, b: string) => boolean) => {
    comparisons++
    if (typeof one !== 'string' || typeof other !== 'string') return one === other
    comparedTexts++
    return one === other || (one !== '' && other !== '' && leniently(one, other))
  }
  return {
    isPrefix: (one: unknown, other: unknown): boolean =>
      compare(one, other, (a, b) => a.startsWith(b) || b.startsWith(a)),
    equalsIgnoringCase: (one: unknown, other: unknown): boolean =>
      compare(one, other, (a, b) => a.toLowerCase() === b.toLowerCase()),
    /** Starts work without waiting for it. */
    leave(work: () => Promise<unknown>): void {
      work().catch(() => undefined)
    },
    /** The first answer, regardless of what is asked later. */
    keep(work: () => Promise<unknown>): Promise<unknown> {
      answer ??= { promise: work() }
      return answer.promise
    },
    /** False if everything that was compared leniently was not text, so that nothing changed. */
    isEffective: (): boolean => comparisons === 0 || comparedTexts > 0,
    /** Begins with another mutant. */
    reset(): void {
      answer = undefined
      comparisons = 0
      comparedTexts = 0
    },
  }
}
