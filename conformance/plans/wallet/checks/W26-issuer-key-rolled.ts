import { defineCheck, held } from '../../../kit/check.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import type { WalletContext } from '../context.ts'
import { rollKey } from '../counterparts/roll-key.ts'
import { takeCredential, tellRequests } from '../findings/take-credential.ts'

export const check = defineCheck<WalletContext>({
  id: 'W26',
  title: 'A credential signed with the old key while both were valid is kept',
  level: 'practice',
  expectation: 'accept',
  control: 'offers',
  description:
    'Issuers change keys with an overlap. What the old key signed in that time stays good after its end, by the DID document as it was then.',
  sends:
    'An issuer whose old key ended a minute ago, a new key since long before, and a credential that the old one signed ten minutes ago.',
  decides: 'The wallet says that it has the credential.',
  async run(context) {
    const { world } = context.trust
    const issuer = rollKey(world, { endedAt: context.now() - 60 })
    const { session, answer } = await takeCredential(context, {
      behaviour: {
        credential: ({ holderDid, now }) =>
          issueCredential(world, { holderDid, now: now - 600, issuer }),
      },
    })
    return held(`The wallet kept what the old key signed: ${tellRequests(session)}`, {
      verdictSource: answer.source,
    })
  },
})
