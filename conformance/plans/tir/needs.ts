/** What a target may lack, by its names in `needs`, and what to add to it then. */
export const tirNeeds = {
  accreditor:
    'The target has no TAO that the kit may act for: add accreditor (did, attributeId, privateKey), or operator.privateKey with onboardingNode.privateKey, so that the kit gets one of its own.',
  'onboarding-node':
    'The target has no onboarding node: add onboardingNode.privateKey, the key (0x-hex) of an account that may register DIDs.',
  operator:
    'The target has no operator: add operator.privateKey, the key (0x-hex) of the account that may publish ROOT_TAO.',
  mining:
    'The target cannot hold its chain: add adapter.hold-mining and adapter.mine, verbs that keep transactions from being mined and mine them.',
  outage:
    'The target cannot cut its TIR off from the chain: add adapter.stop-chain and adapter.start-chain, verbs that do it.',
} as const

export type TirNeed = keyof typeof tirNeeds
