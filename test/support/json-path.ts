/** A step of a path, from which both a JSONPath text and an evaluation without that text are made. */
export type PathStep =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'slice'; readonly start: number; readonly end: number }
  | { readonly kind: 'descendants'; readonly name: string }

/** The notation of a name: after a dot if RFC 9535 allows it, or in brackets with either quote. */
export type Spelling = 'dot' | 'single' | 'double'

const shorthand = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The steps as a JSONPath text (RFC 9535, 2.3 and 2.5). */
export function printJsonPath(steps: readonly PathStep[], spelling: Spelling): string {
  const selector = (name: string) =>
    spelling === 'single'
      ? `'${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
      : JSON.stringify(name)
  const printed = steps.map((step) => {
    if (step.kind === 'index') return `[${step.index}]`
    if (step.kind === 'wildcard') return spelling === 'dot' ? '.*' : '[*]'
    if (step.kind === 'slice') return `[${step.start}:${step.end}]`
    const isShort = spelling === 'dot' && shorthand.test(step.name)
    if (step.kind === 'descendants')
      return isShort ? `..${step.name}` : `..[${selector(step.name)}]`
    return isShort ? `.${step.name}` : `[${selector(step.name)}]`
  })
  return `$${printed.join('')}`
}

/** The values that the steps select, written from RFC 9535 without parsing an expression. */
export function selectByPath(root: unknown, steps: readonly PathStep[]): unknown[] {
  return steps.reduce<unknown[]>(
    (nodes, step) => nodes.flatMap((node) => select(node, step)),
    [root],
  )
}

function select(node: unknown, step: PathStep): unknown[] {
  const isObject = typeof node === 'object' && node !== null
  if (step.kind === 'name') {
    const has = isObject && !Array.isArray(node) && Object.hasOwn(node, step.name)
    return has ? [(node as Record<string, unknown>)[step.name]] : []
  }
  if (step.kind === 'wildcard') return isObject ? Object.values(node) : []
  if (step.kind === 'descendants') {
    const own = select(node, { kind: 'name', name: step.name })
    const below = isObject ? Object.values(node).flatMap((child) => select(child, step)) : []
    return [...own, ...below]
  }
  if (!Array.isArray(node)) return []
  if (step.kind === 'slice') return node.slice(step.start, step.end)
  const { index } = step
  const at = index < 0 ? node.length + index : index
  return at >= 0 && at < node.length ? [node[at]] : []
}
