// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/**
 * @title Derivation of a DID from the proof of its first control key.
 * @notice prefix, `z`, and in base58btc a zero byte followed by the last 19 bytes of the proof.
 */
library DidIdentifier {
    string private constant _ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    uint256 private constant _BASE = 58;
    uint256 private constant _IDENTIFIER_BYTES = 19;
    /// @dev 19 bytes have at most 26 digits of base 58.
    uint256 private constant _MAX_DIGITS = 26;

    // @assumption A-01
    /**
     * @notice The DID that a proof yields.
     * @param prefix the prefix of the registry's DIDs
     * @param proof at least 19 bytes
     * @custom:row 2.endpoints/did-registry.17
     */
    function ofProof(string memory prefix, bytes calldata proof) internal pure returns (string memory) {
        bytes calldata tail = proof[proof.length - _IDENTIFIER_BYTES:];
        return string.concat(prefix, "z1", _leadingOnes(tail), _base58(uint152(bytes19(tail))));
    }

    /// @dev base58btc writes each leading zero byte as the digit 1.
    function _leadingOnes(bytes calldata value) private pure returns (string memory ones) {
        for (uint256 i = 0; i < value.length && value[i] == 0; ++i) ones = string.concat(ones, "1");
    }

    function _base58(uint256 value) private pure returns (string memory) {
        bytes memory alphabet = bytes(_ALPHABET);
        bytes memory reversed = new bytes(_MAX_DIGITS);
        uint256 length = 0;
        for (; value > 0; value /= _BASE) reversed[length++] = alphabet[value % _BASE];
        bytes memory digits = new bytes(length);
        for (uint256 i = 0; i < length; ++i) digits[i] = reversed[length - 1 - i];
        return string(digits);
    }
}
