// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {vm} from "./Vm.sol";

/// @notice A secp256k1 key with all that A-01 makes of it; `publicKey` is 0x04, X, Y.
struct Key {
    uint256 privateKey;
    address account;
    bytes publicKey;
    bytes coordinates;
    bytes proof;
    string did;
}

/// @notice Keys, proofs and DIDs written from A-01, apart from the contracts' libraries.
library Keys {
    string internal constant PREFIX = "did:org:uc-pre:";
    uint256 internal constant ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
    uint256 internal constant FIELD = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f;
    uint256 private constant GENERATOR_X = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798;
    uint256 private constant GENERATOR_Y = 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8;
    bytes private constant ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

    /// @notice The key of any seed, with its proof over the 64 bytes X, Y.
    function create(uint256 seed) internal view returns (Key memory key) {
        key.privateKey = (seed % (ORDER - 1)) + 1;
        (uint256 x, uint256 y) = _multiply(key.privateKey);
        key.coordinates = abi.encodePacked(x, y);
        key.publicKey = abi.encodePacked(bytes1(0x04), key.coordinates);
        key.account = address(uint160(uint256(keccak256(key.coordinates))));
        key.proof = sign(key, key.coordinates);
        key.did = didOf(key.proof);
    }

    /// @notice r, s, v over keccak256 of a message.
    function sign(Key memory key, bytes memory message) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key.privateKey, keccak256(message));
        return abi.encodePacked(r, s, v);
    }

    /// @notice Prefix, z, and base58btc of a zero byte and the last 19 bytes of the proof.
    function didOf(bytes memory proof) internal pure returns (string memory) {
        uint256 tail = 0;
        string memory ones = "1";
        for (uint256 i = proof.length - 19; i < proof.length; ++i) {
            if (tail == 0 && proof[i] == 0) ones = string.concat(ones, "1");
            tail = tail * 256 + uint8(proof[i]);
        }
        return string.concat(PREFIX, "z", ones, _base58(tail));
    }

    function _base58(uint256 value) private pure returns (string memory) {
        if (value == 0) return "";
        return string.concat(_base58(value / 58), string(abi.encodePacked(ALPHABET[value % 58])));
    }

    function _multiply(uint256 scalar) private view returns (uint256 x, uint256 y) {
        (uint256 powerX, uint256 powerY) = (GENERATOR_X, GENERATOR_Y);
        for (; scalar > 0; scalar >>= 1) {
            if (scalar & 1 == 1) (x, y) = _add(x, y, powerX, powerY);
            (powerX, powerY) = _add(powerX, powerY, powerX, powerY);
        }
    }

    /// @dev Points in affine form; (0, 0) stands for the neutral one.
    function _add(uint256 x1, uint256 y1, uint256 x2, uint256 y2) private view returns (uint256 x, uint256 y) {
        if (x1 == 0 && y1 == 0) return (x2, y2);
        uint256 slope = x1 == x2
            ? mulmod(mulmod(3, mulmod(x1, x1, FIELD), FIELD), _inverse(mulmod(2, y1, FIELD)), FIELD)
            : mulmod(addmod(y2, FIELD - y1, FIELD), _inverse(addmod(x2, FIELD - x1, FIELD)), FIELD);
        x = addmod(mulmod(slope, slope, FIELD), addmod(FIELD - x1, FIELD - x2, FIELD), FIELD);
        y = addmod(mulmod(slope, addmod(x1, FIELD - x, FIELD), FIELD), FIELD - y1, FIELD);
    }

    function _inverse(uint256 value) private view returns (uint256) {
        (, bytes memory result) = address(5).staticcall(abi.encode(32, 32, 32, value, FIELD - 2, FIELD));
        return abi.decode(result, (uint256));
    }
}
