// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {DidIdentifier} from "../../../contracts/libraries/DidIdentifier.sol";
import {TextHistory} from "../../../contracts/libraries/TextHistory.sol";
import {Key, Keys} from "./support/Keys.sol";
import {vm} from "./support/Vm.sol";

/// @notice What of the libraries no registry reaches, or reaches once in 256 keys.
contract LibrariesTest {
    using TextHistory for TextHistory.Entry[];

    bytes private constant ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

    TextHistory.Entry[] private _texts;

    function test_AHistoryBeginsWithNothing() external {
        vm.assertEq(_texts.valueAt(0), "", "no entry");
        vm.warp(10);
        this.record("text");
        vm.assertEq(_texts.valueAt(9), "", "before the first");
        vm.assertEq(_texts.valueAt(10), "text", "from its second on");
    }

    /// @notice base58 read back gives a zero byte and the last 19 bytes of the proof.
    function testFuzz_AnIdentifierReadsBack(bytes calldata proof, uint8 zeros) external view {
        bytes memory padded = bytes.concat(new bytes(19), proof);
        for (uint256 i = 0; i < zeros % 20; ++i) padded[padded.length - 19 + i] = 0;
        bytes memory text = bytes(this.identifierOf(padded));
        vm.assertEq(bytes32(text[0]), bytes32("z"), "multibase");
        uint256 value = 0;
        uint256 ones = 0;
        for (uint256 i = 1; i < text.length; ++i) {
            if (value == 0 && text[i] == "1") ++ones;
            value = value * 58 + _digitOf(text[i]);
        }
        uint256 expected = 0;
        uint256 leading = 1;
        for (uint256 i = padded.length - 19; i < padded.length; ++i) {
            if (expected == 0 && padded[i] == 0) ++leading;
            expected = expected * 256 + uint8(padded[i]);
        }
        vm.assertEq(value, expected, "bytes");
        vm.assertEq(ones, leading, "leading zeros");
    }

    /// @notice Private key 115 is the smallest whose proof has a zero byte before its last 18.
    function test_AnIdentifierWithALeadingZero() external view {
        Key memory key = Keys.create(114);
        vm.assertEq(bytes32(key.proof[46]), bytes32(0), "the key was chosen for this");
        vm.assertEq(string.concat(Keys.PREFIX, this.identifierOf(key.proof)), key.did, "DID");
    }

    function record(string calldata value) external {
        _texts.record(value);
    }

    function identifierOf(bytes calldata proof) external pure returns (string memory) {
        return DidIdentifier.ofProof("", proof);
    }

    function _digitOf(bytes1 character) private pure returns (uint256 digit) {
        while (ALPHABET[digit] != character) ++digit;
    }
}
