// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice The cheat codes of the Solidity test runner that these tests use.
interface Vm {
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);

    function warp(uint256 timestamp) external;

    function prank(address sender) external;

    function expectRevert(bytes calldata revertData) external;

    function assertTrue(bool condition, string calldata reason) external pure;

    function assertFalse(bool condition, string calldata reason) external pure;

    function assertEq(uint256 left, uint256 right, string calldata reason) external pure;

    function assertEq(address left, address right, string calldata reason) external pure;

    function assertEq(bytes32 left, bytes32 right, string calldata reason) external pure;

    function assertEq(bytes calldata left, bytes calldata right, string calldata reason) external pure;

    function assertEq(string calldata left, string calldata right, string calldata reason) external pure;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

/// @notice A number from `low` to `high`, both included, for any `seed`.
function bound(uint256 seed, uint256 low, uint256 high) pure returns (uint256) {
    return low + (seed % (high - low + 1));
}
