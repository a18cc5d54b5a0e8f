import { html } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import { holderSuitesOf } from '#testbed/services/environment-context.ts'
import type { RunningEnvironment } from '#testbed/services/running-environment.ts'
import { consolePage, type Frame } from '../frame/page.ts'
import { frameTexts } from '../frame/rooms.ts'
import { clientNamesOf, type Names } from '../names.ts'
import { walletTexts } from './texts.ts'
import type { describeShelfWallet } from './wallet-json.ts'

type ShownWallet = Awaited<ReturnType<typeof describeShelfWallet>>

/** The wallets of an environment; the module draws them and follows their changes. */
export function walletsPage(
  frame: Frame,
  { context }: RunningEnvironment,
  wallets: readonly ShownWallet[],
  names: Names,
): Reply {
  const texts = walletTexts[frame.language]
  const { organizations } = context
  return consolePage(frame, {
    title: frameTexts[frame.language].rooms.wallets,
    room: 'wallets',
    script: 'wallets.js',
    style: 'wallets.css',
    data: {
      texts,
      copy: frameTexts[frame.language].copy,
      language: frame.language,
      wallets,
      names: names.byDid,
      clients: clientNamesOf(frame.language, context),
      people: organizations.map(({ organizationIdentifier, organization, representative }) => ({
        organizationIdentifier,
        organization,
        name: [representative.givenName, representative.familyName].filter(Boolean).join(' '),
      })),
      keys: holderSuitesOf(context),
      loginUrl: `/relying-party/login?env=${frame.environment}`,
    },
    body: html`<p class="lead">${texts.lead}</p>
<div id="wallets"></div>`,
  })
}
