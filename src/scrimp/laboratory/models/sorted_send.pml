chan q = [2] of { byte };
byte got;

active proctype Sender() { q!!3 }

active proctype Receiver() { q?got }

init { q!5 }
