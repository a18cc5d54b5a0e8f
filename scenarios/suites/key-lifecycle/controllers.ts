import { registerDid } from '#scenarios/fixtures/own-dids.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'key-lifecycle/controllers',
  title: 'A second controller may write until it is taken away, and the last one stays',
  category: 'Key lifecycle',
  algorithms: ['ES256K'],
  description: `
An administrator may not write another organization's document: the transaction reverts. The
organization adds it as a controller, and now it may. The document lists the addresses of both.

Adding it twice reverts, as does taking away one that is not there. Once it is taken away again it may
no longer write, and the last controller can't be taken away at all: nobody could write any more.`,
  references: [
    { document: 'Document 2', section: 'Authentication' },
    { document: 'Document 2', section: 'DID document (resolution result, W3C form)' },
    { document: 'Assumptions', section: 'A-03, A-05' },
  ],
  needs: ['revert-reasons'],

  async run(context) {
    const { step } = context
    const { writeDid, didRegistry } = openRegistries(context)
    const [own, administrator] = await step('An organization and an administrator register', () =>
      Promise.all([
        registerDid(context, 'organization', { isForAssertions: false }),
        registerDid(context, 'administrator', { isForAssertions: false }),
      ]),
    )
    const { did } = own
    const rename = (alsoKnownAs: string) =>
      writeDid('updateAlsoKnownAs', { did, alsoKnownAs }, administrator)
    const change = (operation: string, controller: string) =>
      writeDid(operation, { did, controller }, own)
    const expectControllers = async (...expected: string[]) => {
      const { controller, alsoKnownAs } = expectPresent(
        'the document',
        await didRegistry.resolve(did),
      )
      expectEqual('its controllers', [...controller].sort(), [...expected].sort())
      return alsoKnownAs
    }

    await step('The administrator may not write', () =>
      expectRevert('the update', rename('urn:refused'), 'DidRegistryNotController'),
    )
    await step('The organization adds it as a controller, and now it may', async () => {
      await change('addController', administrator.did)
      await rename('urn:example:renamed')
      const names = await expectControllers(own.address, administrator.address)
      expectEqual('alsoKnownAs', names, ['urn:example:renamed'])
    })
    await step('It is not added twice', () =>
      expectRevert(
        'adding it again',
        change('addController', administrator.did),
        'DidRegistryControllerAlreadyAdded',
      ),
    )
    await step('The organization takes it away, and it may no longer write', async () => {
      // By its address, which stands for the DID that its key registered.
      await change('revokeController', administrator.address)
      await expectRevert('the update', rename('urn:refused'), 'DidRegistryNotController')
      await expectControllers(own.address)
    })
    await step('Who is not there is not taken away', () =>
      expectRevert(
        'taking it away again',
        change('revokeController', administrator.did),
        'DidRegistryControllerNotAdded',
      ),
    )
    await step('The last controller stays', () =>
      expectRevert(
        'taking away the last one',
        change('revokeController', did),
        'DidRegistryLastController',
      ),
    )
  },
})
