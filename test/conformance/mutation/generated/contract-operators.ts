/** A node of the compiler's syntax tree, as far as operators need it. */
export interface SyntaxNode {
  readonly nodeType: string
  /** `start:length:file`, in bytes. */
  readonly src: string
  readonly name?: string
  readonly kind?: string
  readonly operator?: string
  readonly value?: string
  readonly typeDescriptions?: { readonly typeString: string }
  readonly [member: string]: unknown
}

/** One change of a source: bytes from `start` to `end` become `replacement`. */
export interface ContractChange {
  readonly operator: string
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** The contract and the function around it. */
  readonly within: string
}

const boundaries: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '&': ['|'],
  '|': ['&'],
}

/** The value that a type has without an assignment; undefined for types that need a place. */
function emptyValue(type: string): string | undefined {
  if (/^u?int\d*$/.test(type)) return '0'
  if (/^bytes\d+$/.test(type)) return `${type}(0)`
  if (type === 'address') return 'address(0)'
  if (/^string /.test(type)) return 'string("")'
  if (/^bytes /.test(type)) return 'bytes("")'
  return undefined
}

/** Changes a source. */
interface Editor {
  codeOf(node: SyntaxNode): string
  /** Replaces a node, unless its code is the same. */
  replace(operator: string, node: SyntaxNode, replacement: string): void
  /** Removes a statement. */
  skip(operator: string, statement: SyntaxNode): void
}

/** The operators by the type of the node that they change. */
const operators: Readonly<Record<string, (node: SyntaxNode, editor: Editor) => void>> = {
  IfStatement(node, { codeOf, replace }) {
    const condition = node.condition as SyntaxNode
    const isGuard = /\brevert\b/.test(codeOf(node.trueBody as SyntaxNode))
    replace(isGuard ? 'RemoveGuard' : 'SkipBranch', condition, 'false')
    // The other operators negate a comparison.
    if (!/[=<>&|]/.test(condition.operator ?? '')) {
      replace('NegateCondition', condition, `!(${codeOf(condition)})`)
    }
  },
  Conditional(node, { codeOf, replace }) {
    for (const side of ['trueExpression', 'falseExpression']) {
      replace('ChooseSide', node, `(${codeOf(node[side] as SyntaxNode)})`)
    }
  },
  BinaryOperation(node, { codeOf, replace }) {
    const [left, right] = [node.leftExpression, node.rightExpression] as [SyntaxNode, SyntaxNode]
    for (const other of boundaries[node.operator ?? ''] ?? []) {
      replace('Operator', node, `(${codeOf(left)} ${other} ${codeOf(right)})`)
    }
  },
  Literal(node, { replace }) {
    const { kind, value = '' } = node
    if (kind === 'bool') replace('NegateLiteral', node, value === 'true' ? 'false' : 'true')
    if (kind !== 'number' || !/^\d+$/.test(value)) return
    replace('NumberByOne', node, String(Number(value) + 1))
    if (value !== '0') replace('NumberByOne', node, String(Number(value) - 1))
  },
  ModifierInvocation: (node, { replace }) => replace('RemoveModifier', node, ''),
  Continue: (node, { skip }) => skip('SkipStatement', node),
  ExpressionStatement(node, { skip }) {
    const { nodeType } = node.expression as SyntaxNode
    if (nodeType === 'FunctionCall') skip('SkipCall', node)
    if (nodeType === 'Assignment') skip('SkipAssignment', node)
  },
  EmitStatement(node, { replace, skip }) {
    skip('SkipEvent', node)
    const { arguments: values } = node.eventCall as { arguments: SyntaxNode[] }
    for (const value of values) {
      const empty = emptyValue(typeOf(value))
      if (empty !== undefined) replace('ChangeEvent', value, empty)
    }
  },
  Return(node, { replace }) {
    const expression = node.expression as SyntaxNode | null
    if (!expression) return
    const type = typeOf(expression)
    const values = type === 'bool' ? ['true', 'false'] : [emptyValue(type)]
    for (const value of values) if (value) replace('ReturnDefault', expression, value)
  },
}

const typeOf = ({ typeDescriptions }: SyntaxNode) => typeDescriptions?.typeString ?? ''

/**
 * All changes of one source by the operators for contracts: they remove guards, statements and
 * events, negate conditions, move boundaries, and return default values.
 * @param tree the syntax tree of the source
 * @param text the source
 * @param isCalled whether the part calls an external function that only reads
 */
export function changeContract(
  tree: SyntaxNode,
  text: Buffer,
  isCalled: (name: string) => boolean,
): ContractChange[] {
  const changes: ContractChange[] = []
  const placeOf = ({ src }: SyntaxNode) => {
    const [start = 0, length = 0] = src.split(':').map(Number)
    return { start, end: start + length }
  }
  const codeOf = (node: SyntaxNode) => {
    const { start, end } = placeOf(node)
    return text.toString('utf8', start, end)
  }
  const editorAt = (within: string): Editor => ({
    codeOf,
    replace(operator, node, replacement) {
      if (codeOf(node) !== replacement) {
        changes.push({ operator, ...placeOf(node), replacement, within })
      }
    },
    skip(operator, statement) {
      const { start, end } = placeOf(statement)
      // Statements end before their semicolon.
      const closed = text[end] === 0x3b ? end + 1 : end
      changes.push({ operator, start, end: closed, replacement: '{}', within })
    },
  })

  function visit(node: SyntaxNode, within: string): void {
    const { nodeType, name } = node
    // What a constructor does is not part of the deployed code.
    if (nodeType === 'FunctionDefinition' && node.kind === 'constructor') return
    const isView = node.visibility === 'external' && node.stateMutability === 'view'
    if (isView && !isCalled(name ?? '')) return
    const isNamed = /^(Contract|Function|Modifier)Definition$/.test(nodeType)
    const place = isNamed ? [within, name].filter(Boolean).join('.') : within
    operators[nodeType]?.(node, editorAt(place))
    for (const [member, child] of Object.entries(node)) {
      // Without its step a loop does not end.
      if (nodeType === 'ForStatement' && member === 'loopExpression') continue
      for (const each of Array.isArray(child) ? child : [child]) {
        if (isNode(each)) visit(each, place)
      }
    }
  }
  visit(tree, '')
  return changes
}

const isNode = (value: unknown): value is SyntaxNode =>
  value !== null && typeof value === 'object' && 'nodeType' in value && 'src' in value
