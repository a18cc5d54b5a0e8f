import { join } from 'node:path'
import ts from 'typescript'
import { createHelpers } from './own-operators.ts'

/** What identifies a mutant's place and kind. */
interface PlacedMutant {
  readonly file: string
  readonly start: number
  readonly original: string
  readonly operator: string
  readonly replacement: string
}

/**
 * Finds mutants that compare leniently what has few values, all known to the compiler: the states of
 * a session, for instance. If no two of them are similar, nothing changes.
 */
export function findClosedComparisons(
  root: string,
  files: readonly string[],
): (mutant: PlacedMutant) => boolean {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root)
  const program = ts.createProgram(
    files.map((file) => join(root, file)),
    { ...options, noEmit: true, skipLibCheck: true },
  )
  const checker = program.getTypeChecker()
  const { isPrefix, equalsIgnoringCase } = createHelpers()

  return ({ file, start, original, operator, replacement }) => {
    if (operator !== 'LenientComparison') return false
    const source = program.getSourceFile(join(root, file))
    const node = source && findNode(source, start, start + original.length)
    if (!node || !ts.isBinaryExpression(node)) return false
    const [left, right] = [node.left, node.right].map((side) =>
      textsOf(checker.getTypeAtLocation(side)),
    )
    if (left === undefined || right === undefined) return false
    const isSimilar = replacement.includes('.isPrefix(') ? isPrefix : equalsIgnoringCase
    return left.every((one) => right.every((other) => one === other || !isSimilar(one, other)))
  }
}

/** All texts that a value of the type can be; undefined if that is not known. */
function textsOf(type: ts.Type): string[] | undefined {
  if (type.isStringLiteral()) return [type.value]
  if (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) return []
  if (!type.isUnion()) return undefined
  const parts = type.types.map(textsOf)
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}

/** The outermost node between two offsets of a source. */
export function findNode(node: ts.Node, start: number, end: number): ts.Node | undefined {
  if (node.getStart() === start && node.getEnd() === end) return node
  return ts.forEachChild(node, (child) =>
    child.pos <= start && child.end >= end ? findNode(child, start, end) : undefined,
  )
}
