interface Instruction {
  readonly name: string
  readonly text: string
}

/** One build stage of a Dockerfile. */
export interface Stage {
  readonly base: string
  readonly name: string | undefined
  readonly instructions: readonly Instruction[]
}

/** Reads a Dockerfile's stages: without comments, with continued lines joined. */
export function readDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: { base: string; name: string | undefined; instructions: Instruction[] }[] = []
  for (const line of lines) {
    const [, name = '', rest = ''] = line.match(/^([A-Z]+)\s+(.*)$/) ?? []
    if (name === '') throw new SyntaxError(`no instruction: ${line}`)
    const [, base = '', alias] = rest.match(/^(\S+)(?: AS (\S+))?$/) ?? []
    if (name === 'FROM') stages.push({ base, name: alias, instructions: [] })
    else stages.at(-1)?.instructions.push({ name, text: rest })
  }
  return stages
}

/** The arguments of an instruction in exec form: `["node", "file"]`. */
export const readExecForm = (text: string): string[] => JSON.parse(text.slice(text.indexOf('[')))
