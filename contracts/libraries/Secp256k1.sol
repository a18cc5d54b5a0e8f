// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/**
 * @title Public keys of the curve secp256k1 and proofs of their possession.
 * @notice A key is represented by the 64 bytes X then Y.
 */
library Secp256k1 {
    uint256 private constant _FIELD_PRIME = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEFFFFFC2F;
    uint256 private constant _HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;
    uint256 private constant _UNCOMPRESSED_LENGTH = 65;
    uint256 private constant _PROOF_LENGTH = 65;
    bytes1 private constant _UNCOMPRESSED_PREFIX = 0x04;

    /**
     * @notice The 64 bytes of an uncompressed key, or nothing if it has another form or is not on
     * the curve.
     * @param publicKey 0x04, X, Y
     * @custom:row 2.resources-and-their-fields/verification-method-input.5
     */
    function coordinatesOf(bytes calldata publicKey) internal pure returns (bytes memory) {
        if (publicKey.length != _UNCOMPRESSED_LENGTH || publicKey[0] != _UNCOMPRESSED_PREFIX) return "";
        if (!_isOnCurve(uint256(bytes32(publicKey[1:33])), uint256(bytes32(publicKey[33:65])))) return "";
        return publicKey[1:65];
    }

    /**
     * @notice The account of a key.
     * @param coordinates X, Y
     */
    function accountOf(bytes memory coordinates) internal pure returns (address) {
        return address(uint160(uint256(keccak256(coordinates))));
    }

    // @assumption A-01
    /**
     * @notice Whether `proof` is a signature r, s, v by the key over the hash of the key itself, in
     * its form without or with the leading 0x04. A high s is rejected: it would give one signature
     * two forms, and so one key two identifiers that its holder did not create.
     * @param coordinates X, Y
     * @param proof r, s (32 bytes each) and v (27 or 28)
     * @custom:row 2.endpoints/did-registry.20
     */
    function isProofOf(bytes memory coordinates, bytes calldata proof) internal pure returns (bool) {
        if (proof.length != _PROOF_LENGTH) return false;
        bytes32 r = bytes32(proof[0:32]);
        bytes32 s = bytes32(proof[32:64]);
        uint8 v = uint8(proof[64]);
        if (uint256(s) > _HALF_ORDER || (v != 27 && v != 28)) return false;
        address account = accountOf(coordinates);
        return
            ecrecover(keccak256(coordinates), v, r, s) == account ||
            ecrecover(keccak256(abi.encodePacked(_UNCOMPRESSED_PREFIX, coordinates)), v, r, s) == account;
    }

    function _isOnCurve(uint256 x, uint256 y) private pure returns (bool) {
        if (x >= _FIELD_PRIME || y >= _FIELD_PRIME) return false;
        uint256 cube = mulmod(mulmod(x, x, _FIELD_PRIME), x, _FIELD_PRIME);
        return mulmod(y, y, _FIELD_PRIME) == addmod(cube, 7, _FIELD_PRIME);
    }
}
