/** What a target may lack, by its names in `needs`, and what to add to it then. */
export const didRegistryNeeds = {
  'onboarding-node':
    'The target has no onboarding node: add onboardingNode.privateKey, the key (0x-hex) of an account that may register DIDs.',
  mining:
    'The target cannot hold its chain: add adapter.hold-mining and adapter.mine, verbs that keep transactions from being mined and mine them.',
} as const

export type DidRegistryNeed = keyof typeof didRegistryNeeds
