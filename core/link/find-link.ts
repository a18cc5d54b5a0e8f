/** A credential offer, or a presentation request. */
export type LinkKind = 'offer' | 'request'

/** A link for wallets, as it stood in a text. */
export interface FoundLink {
  readonly kind: LinkKind
  readonly link: string
}

const longestText = 1_000_000
const candidates = /(?:openid-credential-offer|openid4vp|https?):[^\s"<>]+/gi
const closing = ".,;:!?'’”»)]}"

/** Which parameters of a web link make it one for wallets. */
const webParameters: Readonly<Record<string, LinkKind>> = {
  credential_offer: 'offer',
  credential_offer_uri: 'offer',
  request_uri: 'request',
  request: 'request',
  dcql_query: 'request',
}

/**
 * Finds the first link of an offer or a presentation request in a text: the link alone, with blanks
 * around it, in a mail (also one in HTML), in a sentence, or a web link that carries the parameters
 * of one. What the link says is not looked at yet. Undefined where there is none.
 */
export function findLink(text: string, wanted?: LinkKind): FoundLink | undefined {
  const whole = text.trim()
  // A link by value may hold JSON that is not encoded, blanks and brackets and all.
  const isAlone = /^(?:openid-credential-offer|openid4vp):[^\r\n]*$|^\S+$/i.test(whole)
  const alone = isAlone ? [whole] : []
  const found = whole.slice(0, longestText).match(candidates) ?? []
  for (const link of [...alone, ...found.map(tidy)]) {
    const kind = kindOf(link)
    if (kind !== undefined && (wanted === undefined || kind === wanted)) return { kind, link }
  }
  return undefined
}

/** Takes off what the sentence or the markup around a link adds to it. */
function tidy(match: string): string {
  let end = match.length
  while (end > 0 && closing.includes(match[end - 1] ?? '')) end--
  return match.slice(0, end).replaceAll('&amp;', '&')
}

function kindOf(link: string): LinkKind | undefined {
  const url = URL.parse(link)
  if (url?.protocol === 'openid-credential-offer:') return 'offer'
  if (url?.protocol === 'openid4vp:') return 'request'
  const names = [...(url?.searchParams.keys() ?? [])]
  const name = names.find((key) => Object.hasOwn(webParameters, key))
  return name === undefined ? undefined : webParameters[name]
}
