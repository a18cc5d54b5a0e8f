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
  const sourceOf = ({ src }: SyntaxNode) => {
    const [start = 0, length = 0] = src.split(':').map(Number)
    return { start, end: start + length, code: text.toString('utf8', start, start + length) }
  }

  function visit(node: SyntaxNode, within: string): void {
    const { nodeType, name } = node
    // What a constructor does is not part of the deployed code.
    if (nodeType === 'FunctionDefinition' && node.kind === 'constructor') return
    const isView = node.visibility === 'external' && node.stateMutability === 'view'
    if (isView && !isCalled(name ?? '')) return
    const isNamed = /^(Contract|Function|Modifier)Definition$/.test(nodeType)
    const place = isNamed ? [within, name].filter(Boolean).join('.') : within
    const replace = (operator: string, changed: SyntaxNode, replacement: string) => {
      const { start, end, code } = sourceOf(changed)
      if (code !== replacement) changes.push({ operator, start, end, replacement, within: place })
    }
    const replaceBetween = (operator: string, from: number, to: number, replacement: string) =>
      changes.push({ operator, start: from, end: to, replacement, within: place })
    /** Statements end before their semicolon. */
    const skip = (operator: string) => {
      const { start, end } = sourceOf(node)
      const closed = text[end] === 0x3b ? end + 1 : end
      replaceBetween(operator, start, closed, '{}')
    }

    if (nodeType === 'IfStatement') {
      const condition = node.condition as SyntaxNode
      const isGuard = /\brevert\b/.test(sourceOf(node.trueBody as SyntaxNode).code)
      replace(isGuard ? 'RemoveGuard' : 'SkipBranch', condition, 'false')
      // The other operators negate a comparison.
      if (!/[=<>&|]/.test(condition.operator ?? '')) {
        replace('NegateCondition', condition, `!(${sourceOf(condition).code})`)
      }
    }
    if (nodeType === 'Conditional') {
      for (const side of ['trueExpression', 'falseExpression']) {
        replace('ChooseSide', node, `(${sourceOf(node[side] as SyntaxNode).code})`)
      }
    }
    if (nodeType === 'BinaryOperation') {
      const [left, right] = [node.leftExpression, node.rightExpression] as SyntaxNode[]
      const sides = left && right && [sourceOf(left).code, sourceOf(right).code]
      for (const other of boundaries[node.operator ?? ''] ?? []) {
        if (sides) replace('Operator', node, `(${sides.join(` ${other} `)})`)
      }
    }
    if (nodeType === 'Literal' && node.kind === 'number' && /^\d+$/.test(node.value ?? '')) {
      replace('NumberByOne', node, String(Number(node.value) + 1))
      if (node.value !== '0') replace('NumberByOne', node, String(Number(node.value) - 1))
    }
    if (nodeType === 'Literal' && node.kind === 'bool') {
      replace('NegateLiteral', node, node.value === 'true' ? 'false' : 'true')
    }
    if (nodeType === 'ModifierInvocation') replace('RemoveModifier', node, '')
    if (nodeType === 'Continue') skip('SkipStatement')
    if (nodeType === 'ExpressionStatement') {
      const expression = node.expression as SyntaxNode
      const isCall = expression.nodeType === 'FunctionCall'
      if (isCall || expression.nodeType === 'Assignment') {
        skip(isCall ? 'SkipCall' : 'SkipAssignment')
      }
    }
    if (nodeType === 'EmitStatement') {
      skip('SkipEvent')
      const { arguments: values } = node.eventCall as { arguments: SyntaxNode[] }
      for (const value of values) {
        const type = value.typeDescriptions?.typeString ?? ''
        const empty = emptyValue(type)
        if (empty !== undefined) replace('ChangeEvent', value, empty)
      }
    }
    if (nodeType === 'Return' && node.expression) {
      const expression = node.expression as SyntaxNode
      const type = expression.typeDescriptions?.typeString ?? ''
      const values = type === 'bool' ? ['true', 'false'] : [emptyValue(type)]
      for (const value of values) if (value) replace('ReturnDefault', expression, value)
    }

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
