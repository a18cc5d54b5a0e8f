import { type Annotation, type Annotations, type SourceFile, sideOf } from './annotation.ts'
import { parseRowIds } from './parse-row-ids.ts'

const annotation = /^\s*(?:\/\/\/?|\*|\/\*\*)\s*@(?:custom:)?row\s+(.*?)\s*(?:\*\/)?$/
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
    const ids = annotation.exec(content)?.[1]
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
        problems.push(`${file}:${each.line}: stands above no function, event, error or contract`)
      } else {
        const label = declared === inside ? inside : `${inside}.${declared}`
        annotations.push({ side, file, label, ...each })
      }
    }
    pending = []
  })
  return { annotations, problems }
}
