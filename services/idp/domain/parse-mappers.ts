import { type Mapper, parseMapper } from './parse-mapper.ts'

/** What is wrong with a line; lines count from 1. */
export interface MapperProblem {
  readonly line: number
  readonly reason: string
}

export interface ParsedMappers {
  /** Of the lines that can be read. */
  readonly mappers: readonly Mapper[]
  readonly problems: readonly MapperProblem[]
}

const mostLines = 200

/**
 * Reads a scope's mappers, one a line (document 1, IDP id_token claims). Empty lines are passed
 * over; every other line is read, whatever is wrong with the ones before.
 */
export function parseMappers(text: string): ParsedMappers {
  const mappers: Mapper[] = []
  const problems: MapperProblem[] = []
  const lineOf = new Map<string, number>()
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.length > mostLines) {
    problems.push({ line: mostLines + 1, reason: `There are more than ${mostLines} lines.` })
  }
  for (const [index, content] of lines.slice(0, mostLines).entries()) {
    if (content.trim() === '') continue
    const line = index + 1
    const parsed = parseMapper(content)
    if (!parsed.ok) {
      problems.push({ line, reason: parsed.reason })
      continue
    }
    const { claim } = parsed.mapper
    const first = lineOf.get(claim)
    if (first !== undefined) {
      problems.push({ line, reason: `The claim ${claim} is made by line ${first} already.` })
      continue
    }
    lineOf.set(claim, line)
    mappers.push(parsed.mapper)
  }
  return { mappers, problems }
}
