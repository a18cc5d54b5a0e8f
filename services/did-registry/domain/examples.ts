/** Known answers of the DID generation tool, for the examples in the documentation. */
export const exampleKey = {
  did: 'did:org:uc-pre:z1fNWVvuUi5PtY2REELNATXAnLEf',
  vMethodId: '2JF8vg9etJzjFwZwmkvhBLLZ0bfMVVOPivYR5lFtcec',
  proof:
    '0x3674c17d17d057bba36e488773b1573e25b00fa562bde577e1861813541b0545767964ea96149e35e4ebea2d2b81d1986c207d4a09343c80fa15f967ae3066341c',
  publicKey:
    '0x0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8',
  address: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
}

export const exampleOtherKey = {
  did: 'did:org:uc-pre:z1A21tLGr3Gn4TF6fumvPoQrJSqZ',
  vMethodId: '-klFXyCvwS9ltkT0uKROAwPlqNSnpQTpVaaqHslhz-w',
  publicKey:
    '0x044e3b81af9c2234cad09d679ce6035ed1392347ce64ce405f5dcd36228a25de6e47fd35c4215d1edf53e6f83de344615ce719bdb0fd878f6ed76f06dd277956de',
}

export const exampleValidity = { notBefore: 1_767_225_600, notAfter: 1_798_761_600 }
