import { type Finding, held } from '../../../kit/check.ts'

/** One finding of several: the first that is broken, else the first that is inconclusive, else that all held. */
export function firstNotHeld(findings: readonly Finding[]): Finding {
  const found =
    findings.find(({ kind }) => kind === 'broken') ??
    findings.find(({ kind }) => kind === 'inconclusive')
  if (found) return found
  const verdictSource = findings.find((finding) => finding.verdictSource)?.verdictSource
  const told = findings.map(({ reason }, index) => `(${index + 1}) ${reason}`).join(' ')
  return held(told, verdictSource === undefined ? {} : { verdictSource })
}
