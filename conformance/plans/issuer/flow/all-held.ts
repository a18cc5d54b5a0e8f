import { type Finding, held } from '../../../kit/check.ts'

/** One finding out of several things that held. */
export function allHeld(findings: readonly Finding[]): Finding {
  const verdictSource = findings.find((finding) => finding.verdictSource)?.verdictSource
  const reason = findings.map((finding) => finding.reason.replace(/\.?$/, '.')).join(' ')
  return held(reason, verdictSource === undefined ? {} : { verdictSource })
}
